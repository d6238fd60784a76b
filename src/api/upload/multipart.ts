import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { UsageError } from '../../errors.ts';
import { tooLarge } from '../../intake/hash.ts';
import type { Upload } from '../../intake/upload.ts';
import { describeError } from '../../lib/describe-error.ts';

export type Part = Pick<Upload, 'name' | 'declaredType' | 'documentType' | 'body' | 'signal'>;

const limits = {
  files: 100,
  fields: 50,
  parts: 150,
  fieldSize: 64 * 1024,
  headerPairs: 50,
  headerSize: 16 * 1024,
};

/** Allowance for boundaries and part headers, on top of the files. */
export const framingBytes = 2 ** 20;

/**
 * Passes the files of a multipart request to `take`, one at a time, as they arrive. `take` handles
 * files that fail. A `type` field applies to the files after it. Rejects if the request is cut off
 * or malformed. Resolves to complaints about input that was ignored.
 */
export async function eachPart(
  req: Request,
  maxBytes: number,
  take: (part: Part) => Promise<void>,
): Promise<string[]> {
  const abort = new AbortController();
  const form = openForm(req);
  let processing: Promise<void> = Promise.resolve();
  const complaints = new Set<string>();
  let documentType: string | undefined;
  form.on('field', (name, value) => {
    if (name !== 'type') return;
    documentType = value;
    complaints.add(lateType);
  });
  form.on('file', (_, file, name: string | undefined, __, declaredType) => {
    complaints.delete(lateType);
    // Copied now: a part that fails while it waits for its turn needs an error listener.
    const part = {
      name: unescaped(name ?? ''),
      declaredType,
      documentType,
      body: detachedCopy(file),
      signal: abort.signal,
    };
    processing = processing.then(() => take(part));
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => complaints.add(`Only the first ${limits.files} files were read.`));
  }
  try {
    await pipeline(detachedCopy(req), atMost(maxBytes), form);
  } catch (error) {
    abort.abort(error);
    await processing;
    throw !req.complete || error instanceof UsageError ? error : malformed(error);
  }
  await processing;
  return [...complaints];
}

const lateType =
  'The last field "type" was ignored because it comes after all files. Send it before them.';

function openForm(req: Request): BusboyInstance {
  try {
    const form = new Busboy({ headers: { 'content-type': req.get('Content-Type') ?? '' }, limits });
    // Busboy may emit the error of a broken request more than once.
    form.on('error', () => undefined);
    return form;
  } catch (error) {
    throw malformed(error);
  }
}

/** Enforced on the stream: Content-Length may be missing, and rejected files count too. */
function atMost(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes + framingBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}

/** Browsers percent-encode only these three characters in a quoted file name. */
function unescaped(name: string): string {
  return name.replace(/%0D|%0A|%22/gi, (code) => decodeURIComponent(code));
}

function malformed(error: unknown): UsageError {
  return new UsageError(
    `The multipart body cannot be read: ${describeError(error)}`,
    'Let your HTTP library build the body and its Content-Type, including the boundary.',
  );
}

/**
 * A copy of a stream that can be destroyed safely: the rest of the source is then read and dropped.
 * Destroying the source would also end the parts after it, or the connection for the response.
 */
export function detachedCopy(source: Readable): Readable {
  const copy = new PassThrough();
  source.on('error', (error) => copy.destroy(error));
  // The source may fail before the copy has a reader, which then finds the copy destroyed.
  copy.on('error', () => undefined);
  copy.once('close', () => {
    source.unpipe(copy);
    source.resume();
  });
  return source.pipe(copy);
}
