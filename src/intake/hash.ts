import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { TooLargeError } from '../errors.ts';

export interface Fingerprints {
  bytes: number;
  md5: string;
  sha1: string;
  sha256: string;
}

/** Passes bytes through while it counts and hashes them; fails as soon as there are more than allowed. */
export function hashing(maxBytes: number): { stream: Transform; result(): Fingerprints } {
  const { add, result } = fingerprinting();
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(tooLarge(maxBytes));
      add(chunk);
      done(null, chunk);
    },
  });
  return { stream, result };
}

export function fingerprintsOf(whole: Buffer): Fingerprints {
  const { add, result } = fingerprinting();
  add(whole);
  return result();
}

function fingerprinting() {
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  const sha256 = createHash('sha256');
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      bytes += chunk.length;
      for (const hash of [md5, sha1, sha256]) hash.update(chunk);
    },
    result: () => ({ bytes, md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }),
  };
}

export function tooLarge(maxBytes: number): TooLargeError {
  const megabytes = Math.floor(maxBytes / 2 ** 20);
  return new TooLargeError(`The document is larger than ${megabytes} MB`, 'Raise MILLRACE_MAX_UPLOAD_MB, or split it.');
}
