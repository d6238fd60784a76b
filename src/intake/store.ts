import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../storage/storage.ts';
import { computeFingerprints, type Fingerprints, tooLarge } from './hash.ts';
import { hashing } from './hashing.ts';

export interface StoreOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** Up to this size a body is written at once: setting up streams costs more than copying. */
export const smallBytes = 128 * 1024;

/** Stores bytes and returns their fingerprints. Fails as soon as the size limit is exceeded. */
export async function store(
  storage: Storage,
  key: string,
  body: Buffer | Readable,
  options: StoreOptions,
): Promise<Fingerprints> {
  if (Buffer.isBuffer(body)) return storeWhole(storage, key, body, options);
  if (options.signal) addAbortSignal(options.signal, body);
  const small = await readSmall(body);
  return small
    ? storeWhole(storage, key, small, options)
    : storeStream(storage, key, body, options);
}

async function storeWhole(
  storage: Storage,
  key: string,
  body: Buffer,
  { maxBytes, signal }: StoreOptions,
): Promise<Fingerprints> {
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  await storage.put(key, body, signal ? { signal } : {});
  return computeFingerprints([body]);
}

/** The whole body, or undefined if it is large: what was read is put back into the stream. */
async function readSmall(body: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= smallBytes) continue;
    body.unshift(Buffer.concat(chunks));
    return undefined;
  }
  return Buffer.concat(chunks);
}

async function storeStream(
  storage: Storage,
  key: string,
  body: Readable,
  { maxBytes, signal }: StoreOptions,
): Promise<Fingerprints> {
  const { stream, result } = hashing(maxBytes);
  const abort = new AbortController();
  const combined = AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]);
  try {
    const feeding = pipeline(body, stream, { signal: combined, end: true });
    // A failing source must also fail the put, and vice versa.
    feeding.catch((error: unknown) => abort.abort(error));
    await Promise.all([storage.put(key, stream, { signal: combined }), feeding]);
    return await result();
  } catch (error) {
    abort.abort(error);
    throw abort.signal.reason ?? error;
  }
}
