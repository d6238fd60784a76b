import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** About the size of a result. The file is removed before it is flushed to disk. */
const bytes = Buffer.alloc(64 * 1024);

/**
 * Writes a file, because disk statistics do not show quotas, reserved blocks or a read-only
 * remount.
 */
export async function tryToWrite(directory: string): Promise<void> {
  const path = join(directory, randomUUID());
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  } finally {
    await rm(path, { force: true });
  }
}
