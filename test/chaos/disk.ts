import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Closers } from '../../src/lib/closers.ts';

const run = promisify(execFile);
const megabyte = Buffer.alloc(2 ** 20);

/** Mounts a small separate disk on a directory; undefined where mounting is not permitted. */
export async function mountDisk(directory: string, closers: Closers) {
  await mkdir(directory, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'millrace-chaos', directory]);
  } catch {
    return undefined;
  }
  closers.add(() => run('umount', ['--lazy', directory]));
  const ballast = join(directory, 'ballast');
  return {
    /** Writes until no byte is free. */
    async fill(): Promise<void> {
      const file = await open(ballast, 'w');
      try {
        for (;;) await file.write(megabyte);
      } catch {
        await file.close();
      }
    },
    empty: () => rm(ballast, { force: true }),
  };
}
