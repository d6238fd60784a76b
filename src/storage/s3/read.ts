import { addAbortSignal, Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { guardAgainstStall } from '../stall.ts';
import type { S3Settings } from './client.ts';

/** Opens an object. The stream fails when the connection stalls instead of waiting forever. */
export async function read(
  client: S3Client,
  place: { Bucket: string; Key: string },
  { stallMs = 30_000 }: Pick<S3Settings, 'stallMs'>,
  signal?: AbortSignal,
): Promise<Readable> {
  const { Body } = await client.send(
    new GetObjectCommand(place),
    signal ? { abortSignal: signal } : {},
  );
  if (!(Body instanceof Readable))
    throw new Error(`Storage sent a response without a body for ${place.Key}`);
  const stream = guardAgainstStall(Body, stallMs);
  return signal ? addAbortSignal(signal, stream) : stream;
}
