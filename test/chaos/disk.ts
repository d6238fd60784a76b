import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Closers } from '../../src/lib/closers.ts';

const run = promisify(execFile);
const megabyte = Buffer.alloc(2 ** 20);

/** A small disk of its own for a directory, where we may mount one; undefined elsewhere. */
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
    /** Leaves not a byte. */
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
