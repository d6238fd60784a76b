import type { Readable } from 'node:stream';

/** All that a stream holds; for what is known to be small, since iterating or piping costs several times as much. */
export function readAll(source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    source.on('data', (chunk: Buffer) => chunks.push(chunk));
    source.once('end', () => resolve(Buffer.concat(chunks)));
    source.once('error', reject);
    const settle = () => source.readableEnded || reject(new Error('The body was cut off'));
    // One that was cut off before, or without an error, tells nothing more.
    if (source.destroyed) settle();
    else source.once('close', settle);
  });
}
