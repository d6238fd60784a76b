import { mkdir, open, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { batchCallsBy } from '../../lib/batch-calls-by.ts';
import { errorCode } from './code.ts';

/** Runs `place` in a directory that exists, making it where it is missing or a concurrent remove discards it in between. */
export async function withParentDirectory(
  path: string,
  root: string,
  place: () => Promise<void>,
): Promise<void> {
  const directory = dirname(path);
  let top = directory;
  for (let tries = 1; ; tries++) {
    try {
      await place();
      return await persist(directory, top);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === 10) throw error;
      if (await mkdir(directory, { recursive: true, mode: 0o700 })) top = root;
    }
  }
}

/** A rename is on disk once its directory is; a new directory, once its parent is. */
async function persist(directory: string, top: string): Promise<void> {
  await flush(directory);
  if (directory !== top) await persist(dirname(directory), top);
}

/** One flush is enough for all that were renamed into a directory before it began. */
const flush = batchCallsBy(
  (directory: string) => directory,
  async (asked) => {
    const [directory] = asked;
    if (directory === undefined) return [];
    const handle = await open(directory);
    await handle.sync().finally(() => handle.close());
    return asked;
  },
  { most: 1000, inFlight: 1 },
);

/** Removes the directories above a removed file that hold nothing else. */
export async function discardEmpty(path: string, root: string): Promise<void> {
  for (let directory = dirname(path); directory !== root; directory = dirname(directory)) {
    const removed = await rmdir(directory).then(
      () => true,
      (error) => errorCode(error) === 'ENOENT',
    );
    if (!removed) return;
  }
}
