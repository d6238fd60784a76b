/**
 * What a test process puts into the product by preloading a module (`node --import`). Nothing in the environment, the
 * configuration or a document reaches it.
 */
export interface TestHooks {
  /** Called at named moments, as `stage.moment/name`. */
  failpoint?: (name: string) => void;
  /** Formats for documents that misbehave on command. */
  formats?: Readonly<Record<string, unknown>>;
  /** Command-line options of node that put the same hooks into child processes. */
  execArgv: readonly string[];
}

const key = Symbol.for('millrace.test-hooks');

export function testHooks(): TestHooks | undefined {
  return Reflect.get(globalThis, key);
}
