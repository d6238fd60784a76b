import { z } from 'zod';
import { itemKinds } from './batch-ledger.ts';

/** Files that hold other files. What is in them becomes documents of their own. */
const containers: ReadonlySet<string> = new Set(['application/zip']);

export function isContainer(mediaType: string): boolean {
  return containers.has(mediaType);
}

/** What is unpacked of one file and of all that is nested in it. */
export const unpackLimits = {
  entries: 10_000,
  bytes: 2 * 2 ** 30,
  /** Levels of containers in containers. */
  depth: 5,
  /** Bytes made of one byte, once there are many of them. */
  ratio: 100,
};
export type UnpackLimits = Pick<typeof unpackLimits, 'entries' | 'bytes' | 'ratio'>;

const place = { position: z.int(), name: z.string() };

/** One entry of a container: a file on disk, or why there is none. */
export const unpackedEntry = z.union([
  z.object({ ...place, path: z.string() }),
  z.object({ ...place, kind: z.enum(itemKinds).exclude(['duplicate']), reason: z.string() }),
]);
export type UnpackedEntry = z.infer<typeof unpackedEntry>;

/** Made by systems for themselves; nobody means to send them. */
const knownFile = /(^|\/)(__MACOSX\/.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

export function isKnownFile(name: string): boolean {
  return knownFile.test(name);
}
