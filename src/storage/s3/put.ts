import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { PutOptions } from '../storage.ts';
import { find } from './find.ts';
import { uploadParts } from './multipart.ts';
import { inParts } from './parts.ts';
import { httpStatus } from './problems.ts';
import type { Target } from './target.ts';

interface Put extends Target, PutOptions {
  body: Buffer | Readable;
}

const PART_BYTES = 8 * 1024 * 1024;

/**
 * A body of one part is sent in one request, which the SDK can retry. A longer one is sent in parts
 * and never held in memory as a whole.
 */
export async function put({ body, signal, ...target }: Put): Promise<'stored' | 'exists'> {
  const mark = randomUUID();
  const params = {
    ...target.place,
    ContentType: target.mediaType,
    Metadata: { mark },
    ...(target.ifAbsent && { IfNoneMatch: '*' }),
  };
  const abort = signal ? { abortSignal: signal } : {};
  try {
    signal?.throwIfAborted();
    const parts = inParts(body, PART_BYTES, signal);
    const { value: first = Buffer.alloc(0) } = await parts.next();
    const second = first.length < PART_BYTES ? undefined : (await parts.next()).value;
    if (second)
      await uploadParts({ ...target, params, abort, parts: [first, second], rest: parts });
    else await target.client.send(new PutObjectCommand({ ...params, Body: first }), abort);
    return 'stored';
  } catch (error) {
    if (!Buffer.isBuffer(body)) body.destroy();
    signal?.throwIfAborted();
    if ([404, 412].includes(httpStatus(error)) && (await isOwn(target, mark))) return 'stored';
    if (target.ifAbsent && httpStatus(error) === 412) return 'exists';
    throw error;
  }
}

/**
 * The SDK retries a put whose response was lost. The retry then finds its own object, or its upload
 * already completed.
 */
async function isOwn({ client, place }: Target, mark: string): Promise<boolean> {
  return (await find(client, place))?.Metadata?.mark === mark;
}
