import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PermanentError } from '../errors.ts';
import type { Storage } from './storage.ts';

interface DownloadOptions {
  signal?: AbortSignal;
  /** Expected SHA-256 in hex. */
  sha256?: string;
}

/**
 * Copies an object to a local file and returns its size and hash. Removes the file on failure or
 * mismatch.
 */
export async function download(
  storage: Storage,
  key: string,
  path: string,
  { signal, sha256 }: DownloadOptions = {},
) {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk);
      bytes += chunk.length;
      next(null, chunk);
    },
  });
  try {
    const source = await storage.get(key, signal);
    await pipeline(source, meter, createWriteStream(path), signal ? { signal } : {});
    const actual = hash.digest('hex');
    if (sha256 && sha256 !== actual) throw differs(key, bytes, sha256, actual);
    return { bytes, sha256: actual };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function differs(key: string, bytes: number, expected: string, actual: string): PermanentError {
  const short = (hash: string) => `${hash.slice(0, 12)}…`;
  return new PermanentError(
    'FILE_MISSING_OR_INCOMPLETE',
    `The stored object ${key} (${bytes} bytes) differs from what was received: its SHA-256 is ${short(actual)}, not ${short(expected)}`,
  );
}
