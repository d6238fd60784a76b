import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { NotFoundError } from '../errors.ts';
import type { Storage } from './storage.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Unpacked size beyond which a stored artifact is not ours. */
const maxBytes = 512 * 2 ** 20;
const mediaType = 'application/gzip';

export interface Artifact<T> {
  value: T;
  sha256: string;
}

/**
 * Results of a stage in storage, of one model, compressed. Each says what it was made from and by whom (`source`), so that
 * it is reused only for the same.
 */
export function artifactStore<T>(model: z.ZodType<T>) {
  const envelope = z.object({ source: z.string(), value: model });

  const decode = async (bytes: Buffer) => {
    const json = (await expand(bytes, { maxOutputLength: maxBytes })).toString('utf8');
    return envelope.parse(JSON.parse(json));
  };

  /** The one of this source, if it is there and whole. */
  const find = async (
    storage: Storage,
    key: string,
    source: string,
  ): Promise<Artifact<T> | undefined> => {
    const bytes = await bytesOf(storage, key).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    // Cut off or foreign: it is made again.
    const found = bytes && (await decode(bytes).catch(() => undefined));
    return bytes && found?.source === source
      ? { value: found.value, sha256: sha256(bytes) }
      : undefined;
  };

  return {
    find,
    /**
     * The first of a source stays and the others take it over: one who lost its lease and writes late must not replace
     * what the checkpoint of its successor names.
     */
    async save(storage: Storage, key: string, source: string, value: T): Promise<Artifact<T>> {
      const bytes = await compress(JSON.stringify({ source, value }));
      const saved = { value, sha256: sha256(bytes) };
      if ((await storage.put(key, bytes, { mediaType, ifAbsent: true })) === 'stored') return saved;
      const there = await find(storage, key, source);
      if (there) return there;
      await storage.put(key, bytes, { mediaType });
      return saved;
    },
    /** The one that a checkpoint names; it must be the very same bytes. */
    async load(storage: Storage, key: string, expected: string): Promise<T> {
      const bytes = await bytesOf(storage, key);
      if (sha256(bytes) !== expected)
        throw new NotFoundError(`The artifact ${key} is not the one that was saved`);
      return (await decode(bytes)).value;
    },
  };
}

async function bytesOf(storage: Storage, key: string): Promise<Buffer> {
  return buffer(await storage.get(key));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
