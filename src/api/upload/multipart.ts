import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { UsageError } from '../../errors.ts';
import { tooLarge } from '../../intake/hash.ts';
import type { Upload } from '../../intake/upload.ts';
import { describeError } from '../../lib/describe-error.ts';
import { detachedCopy } from './detached-copy.ts';

export type Part = Pick<Upload, 'name' | 'declaredType' | 'documentType' | 'body' | 'signal'>;

const limits = {
  files: 100,
  fields: 50,
  parts: 150,
  fieldSize: 64 * 1024,
  headerPairs: 50,
  headerSize: 16 * 1024,
};

/** What boundaries and part headers may add to the files themselves. */
export const framingBytes = 2 ** 20;

/**
 * Hands over the files of a multipart request one after the other, as they arrive; `take` deals with a file that fails
 * by itself. A field `type` is about the files behind it. Fails when the request is cut off or malformed; answers what
 * else was not taken as it was meant.
 */
export async function eachPart(
  req: Request,
  maxBytes: number,
  take: (part: Part) => Promise<void>,
): Promise<string[]> {
  const abort = new AbortController();
  const form = openForm(req);
  let taken: Promise<void> = Promise.resolve();
  const complaints = new Set<string>();
  let documentType: string | undefined;
  form.on('field', (name, value) => {
    if (name !== 'type') return;
    documentType = value;
    complaints.add(lateType);
  });
  form.on('file', (_, file, name: string | undefined, __, declaredType) => {
    complaints.delete(lateType);
    // Copied at once: a part that fails while it waits for its turn must find someone who listens.
    const part = {
      name: unescaped(name ?? ''),
      declaredType,
      documentType,
      body: detachedCopy(file),
      signal: abort.signal,
    };
    taken = taken.then(() => take(part));
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => complaints.add(`Only the first ${limits.files} files were read.`));
  }
  try {
    await pipeline(detachedCopy(req), atMost(maxBytes), form);
  } catch (error) {
    abort.abort(error);
    await taken;
    throw !req.complete || error instanceof UsageError ? error : malformed(error);
  }
  await taken;
  return [...complaints];
}

const lateType =
  'The last field "type" was not heeded: it stands behind all files. Send it before them.';

function openForm(req: Request): BusboyInstance {
  try {
    const form = new Busboy({ headers: { 'content-type': req.get('Content-Type') ?? '' }, limits });
    // It may report the end of a broken request more than once.
    form.on('error', () => undefined);
    return form;
  } catch (error) {
    throw malformed(error);
  }
}

/** Length is not always declared, and what a refused file goes on sending counts as well. */
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

/** Browsers write the three characters that would end a quoted name in this way. */
function unescaped(name: string): string {
  return name.replace(/%0D|%0A|%22/gi, (code) => decodeURIComponent(code));
}

function malformed(error: unknown): UsageError {
  return new UsageError(
    `The multipart body cannot be read: ${describeError(error)}`,
    'Let your HTTP library make the body and its Content-Type, boundary included.',
  );
}
