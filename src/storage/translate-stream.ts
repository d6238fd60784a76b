import type { Readable } from 'node:stream';

/** Replaces the error with which a stream fails. Costs nothing per chunk, unlike a second stream. */
export function translateStream(stream: Readable, translate: (error: Error) => Error): Readable {
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, done) =>
    destroy(error, (failure) => done(failure ? translate(failure) : failure));
  return stream;
}
