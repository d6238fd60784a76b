import { mkdir, open, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './code.ts';

/** Runs `place` in a directory that exists, making it again if a concurrent remove discards it in between. */
export async function inDirectoryOf(path: string, root: string, place: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await place();
      return await persist(dirname(path), made ? root : dirname(path));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === 10) throw error;
    }
  }
}

/** A rename is on disk once its directory is; a new directory, once its parent is. */
async function persist(directory: string, top: string): Promise<void> {
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
  if (directory !== top) await persist(dirname(directory), top);
}

/** Removes the directories above a removed file that hold nothing else. */
export async function discardEmpty(path: string, root: string): Promise<void> {
  for (let directory = dirname(path); directory !== root; directory = dirname(directory)) {
    const removed = await rmdir(directory).then(
      () => true,
      (error) => codeOf(error) === 'ENOENT',
    );
    if (!removed) return;
  }
}
