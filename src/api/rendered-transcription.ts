import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotFoundError } from '../errors.ts';
import { MINUTE } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { copyTranscription } from '../storage/transcriptions.ts';
import type { RenderFormat } from '../understanding/operations.ts';

const timeoutMs = 2 * MINUTE;

/**
 * Has the sandbox write a transcription, or a part of it, and passes the file on. Parsing one of
 * many megabytes here would block all other requests.
 */
export async function withRendered(
  { storage, sandbox }: Pick<Resources, 'storage' | 'sandbox'>,
  { key, sha256 }: { key: string; sha256: string },
  format: RenderFormat,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-text-'));
  try {
    const [path, output] = [join(directory, 'transcription'), join(directory, 'rendered')];
    await copyTranscription(storage, key, sha256, path);
    const input = { path, format, output };
    if (!(await sandbox.run('understanding.render', input, { timeoutMs })))
      throw new NotFoundError('The document has no such page.');
    await use(output);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
