import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';

/** Splits the body into parts of `size` bytes. A stream is read at most one part ahead. */
export async function* inParts(
  body: Buffer | Readable,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
    return;
  }
  let part = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (let chunk of bytesOf(body, signal)) {
    while (chunk.length > 0) {
      const taken = chunk.copy(part, filled);
      filled += taken;
      chunk = chunk.subarray(taken);
      if (filled < size) continue;
      yield part;
      part = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** Reads through a PassThrough, which ends immediately when aborted even if the source is stuck. */
async function* bytesOf(source: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  // A failure of the source reaches the reader through the stream.
  const stream = pipeline(source, new PassThrough(), () => {});
  yield* signal ? addAbortSignal(signal, stream) : stream;
}
