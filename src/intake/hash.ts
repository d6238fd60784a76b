import { createHash } from 'node:crypto';
import { TooLargeError } from '../errors.ts';

export interface Fingerprints {
  bytes: number;
  md5: string;
  sha1: string;
  sha256: string;
}

export function computeFingerprints(chunks: readonly Uint8Array[]): Fingerprints {
  const { add, result } = fingerprinting();
  for (const chunk of chunks) add(chunk);
  return result();
}

export function fingerprinting(): { add(chunk: Uint8Array): void; result(): Fingerprints } {
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  const sha256 = createHash('sha256');
  let bytes = 0;
  return {
    add(chunk: Uint8Array) {
      bytes += chunk.length;
      for (const hash of [md5, sha1, sha256]) hash.update(chunk);
    },
    result: () => ({
      bytes,
      md5: md5.digest('hex'),
      sha1: sha1.digest('hex'),
      sha256: sha256.digest('hex'),
    }),
  };
}

export function tooLarge(maxBytes: number): TooLargeError {
  const megabytes = Math.floor(maxBytes / 2 ** 20);
  return new TooLargeError(
    `The document is larger than ${megabytes} MB`,
    'Raise MILLRACE_MAX_UPLOAD_MB, or split the document.',
  );
}
