import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { z } from 'zod';
import { NotFoundError } from '../errors.ts';
import { jsonPieces } from '../lib/json-pieces.ts';
import type { Storage } from './storage.ts';

const expand = promisify(gunzip);

/** No artifact of ours decompresses to more than this. */
const maxBytes = 512 * 2 ** 20;
const mediaType = 'application/gzip';

export interface Artifact<T> {
  value: T;
  sha256: string;
}

/**
 * Stores results of a stage, compressed. Each names what it was made from and by which engine
 * (`source`), and is reused only for the same source.
 */
export function artifactStore<T>(model: z.ZodType<T>) {
  const envelope = z.object({ source: z.string(), value: model });

  const decode = async (bytes: Buffer) => {
    const json = (await expand(bytes, { maxOutputLength: maxBytes })).toString('utf8');
    return envelope.parse(JSON.parse(json));
  };

  /** The artifact of this source; undefined if it is missing or damaged. */
  const find = async (
    storage: Storage,
    key: string,
    source: string,
  ): Promise<Artifact<T> | undefined> => {
    const bytes = await bytesOf(storage, key).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    // Damaged or not ours: the artifact is made again.
    const found = bytes && (await decode(bytes).catch(() => undefined));
    return bytes && found?.source === source
      ? { value: found.value, sha256: sha256(bytes) }
      : undefined;
  };

  return {
    find,
    /**
     * The first artifact of a source stays, and later writers adopt it: a worker that lost its
     * lease and writes late must not replace the artifact that its successor's checkpoint refers
     * to.
     */
    async save(storage: Storage, key: string, source: string, value: T): Promise<Artifact<T>> {
      const bytes = await encode({ source, value });
      const saved = { value, sha256: sha256(bytes) };
      if ((await storage.put(key, bytes, { mediaType, ifAbsent: true })) === 'stored') return saved;
      const existing = await find(storage, key, source);
      if (existing) return existing;
      await storage.put(key, bytes, { mediaType });
      return saved;
    },
    /** The artifact that a checkpoint refers to; its hash must match. */
    async load(storage: Storage, key: string, expected: string): Promise<T> {
      return (await decode(await checked(storage, key, expected))).value;
    },
    /** Copies it to a file, to be read in another process: parsing blocks the one that does it. */
    async copy(storage: Storage, key: string, expected: string, path: string): Promise<void> {
      await writeFile(path, await checked(storage, key, expected));
    },
    async read(path: string): Promise<T> {
      return (await decode(await readFile(path))).value;
    },
  };
}

/** Compresses piece by piece, so that a long document does not block the process. */
async function encode(value: unknown): Promise<Buffer> {
  return pipeline(Readable.from(jsonPieces(value)), createGzip(), (compressed) =>
    buffer(compressed),
  );
}

async function checked(storage: Storage, key: string, expected: string): Promise<Buffer> {
  const bytes = await bytesOf(storage, key);
  if (sha256(bytes) !== expected)
    throw new NotFoundError(`The artifact ${key} differs from the one that was saved`);
  return bytes;
}

async function bytesOf(storage: Storage, key: string): Promise<Buffer> {
  return buffer(await storage.get(key));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
