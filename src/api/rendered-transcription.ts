import { join } from 'node:path';
import { NotFoundError } from '../errors.ts';
import { MINUTE } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { withTranscription } from '../storage/borrowed-transcription.ts';
import type { RenderFormat } from '../understanding/operations.ts';

const timeoutMs = 2 * MINUTE;

/**
 * Has the sandbox write a transcription, or a part of it, and passes the file on. Parsing one of
 * many megabytes here would block all other requests.
 */
export function withRendered(
  { storage, sandbox }: Pick<Resources, 'storage' | 'sandbox'>,
  transcription: { key: string; sha256: string },
  format: RenderFormat,
  use: (path: string) => Promise<void>,
): Promise<void> {
  return withTranscription(storage, transcription, async (path, directory) => {
    const output = join(directory, 'rendered');
    const input = { path, format, output };
    if (!(await sandbox.run('understanding.render', input, { timeoutMs })))
      throw new NotFoundError('The document has no such page.');
    await use(output);
  });
}
