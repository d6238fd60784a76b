import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../storage/storage.ts';
import { computeFingerprints, type Fingerprints, tooLarge } from './hash.ts';
import { hashing } from './hashing.ts';

export interface StoreOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** What is no larger than this is held in memory and written at once; setting up streams costs more than copying it. */
export const smallBytes = 128 * 1024;

/** Puts bytes into storage and tells what they are. Fails as soon as there are more of them than allowed. */
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

/** All of it, or undefined if it is not small: then it is as if nothing had been read yet. */
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
  const whole = AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]);
  try {
    const feeding = pipeline(body, stream, { signal: whole, end: true });
    // A source that fails must fail the put as well, and the other way round.
    feeding.catch((error: unknown) => abort.abort(error));
    await Promise.all([storage.put(key, stream, { signal: whole }), feeding]);
    return await result();
  } catch (error) {
    abort.abort(error);
    throw abort.signal.reason ?? error;
  }
}
