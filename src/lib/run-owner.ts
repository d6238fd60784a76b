import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose data the current work concerns. */
export interface RunOwner {
  workspaceId: string | undefined;
  taskId: string;
}

const current = new AsyncLocalStorage<RunOwner>();

/** Everything that `run` starts belongs to the owner. */
export function runAs<T>(owner: RunOwner, run: () => Promise<T>): Promise<T> {
  return current.run(owner, run);
}

export function currentOwner(): RunOwner | undefined {
  return current.getStore();
}
