import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** About what a result takes. It is gone before it would reach the disk. */
const bytes = Buffer.alloc(64 * 1024);

/** Tries what statistics of a disk do not tell: quotas, blocks that are not for everybody, a disk that became read-only. */
export async function tryToWrite(directory: string): Promise<void> {
  const path = join(directory, randomUUID());
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  } finally {
    await rm(path, { force: true });
  }
}
