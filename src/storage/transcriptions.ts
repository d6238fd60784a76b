import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { type Transcription, transcription } from '../domain/transcription.ts';
import { NotFoundError } from '../errors.ts';
import type { Storage } from './storage.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** A transcription in storage says which bytes it was read from, so that it is reused only for those. */
const artifact = z.object({ source: z.string(), transcription });

/** Unpacked size beyond which a stored artifact is not ours. */
const maxBytes = 512 * 2 ** 20;

export interface Stored {
  transcription: Transcription;
  sha256: string;
}

/** The stored transcription of this source by this engine, if there is one and it is whole. */
export async function findTranscription(
  storage: Storage,
  key: string,
  source: string,
  engine: string,
): Promise<Stored | undefined> {
  try {
    const found = await open(storage, key);
    return found.source === source && found.transcription.engine === engine ? found : undefined;
  } catch {
    // Absent, cut off or foreign: it is made again.
    return undefined;
  }
}

export async function saveTranscription(
  storage: Storage,
  key: string,
  source: string,
  result: Transcription,
): Promise<Stored> {
  const bytes = await compress(JSON.stringify({ source, transcription: result } satisfies z.input<typeof artifact>));
  await storage.put(key, bytes, { mediaType: 'application/gzip' });
  return { transcription: result, sha256: sha256(bytes) };
}

/** The transcription that a checkpoint names; it must be the very same bytes. */
export async function loadTranscription(storage: Storage, key: string, expected: string): Promise<Transcription> {
  const found = await open(storage, key);
  if (found.sha256 !== expected) throw new NotFoundError(`The transcription ${key} is not the one that was saved`);
  return found.transcription;
}

async function open(storage: Storage, key: string) {
  const bytes = await buffer(await storage.get(key));
  const json = JSON.parse((await expand(bytes, { maxOutputLength: maxBytes })).toString('utf8'));
  return { ...artifact.parse(json), sha256: sha256(bytes) };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
