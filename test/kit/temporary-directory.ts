import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A directory that is removed after the test. Its name contains a space, like many real folders.
 */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
