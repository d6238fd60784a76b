import { PassThrough, type Readable } from 'node:stream';

/**
 * A copy of a stream that may be given up without harm: what is left of the source is then read and thrown away.
 * Destroying the source itself would cut off the parts behind it, or the connection that the answer needs.
 */
export function detachedCopy(source: Readable): Readable {
  const copy = new PassThrough();
  source.on('error', (error) => copy.destroy(error));
  // The source may fail before anyone reads the copy; whoever does then finds it destroyed.
  copy.on('error', () => undefined);
  copy.once('close', () => {
    source.unpipe(copy);
    source.resume();
  });
  return source.pipe(copy);
}
