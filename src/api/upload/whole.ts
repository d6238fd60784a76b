import type { Readable } from 'node:stream';

/** All that a stream holds; for what is known to be small, since iterating or piping costs several times as much. */
export function whole(source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    source.on('data', (chunk: Buffer) => chunks.push(chunk));
    source.once('end', () => resolve(Buffer.concat(chunks)));
    source.once('error', reject);
    // One that was cut off before, or without an error, tells nothing more.
    const cutOff = () => reject(new Error('The body was cut off'));
    if (source.destroyed) cutOff();
    else source.once('close', cutOff);
  });
}
