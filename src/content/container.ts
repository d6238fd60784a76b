import { z } from 'zod';
import { itemKinds } from '../domain/batch-ledger.ts';

/** What is unpacked of one file and of all that is nested in it. A mailbox counts twice: its messages, and what is in them. */
export const unpackLimits = {
  entries: 25_000,
  bytes: 4 * 2 ** 30,
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
export type EntryPlace = Pick<UnpackedEntry, 'position' | 'name'>;
export type Omission = Omit<Exclude<UnpackedEntry, { path: string }>, keyof EntryPlace>;

/** Made by systems for themselves; nobody means to send them. */
const knownFile = /(^|\/)(__MACOSX\/.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

export function knownFileOmission(name: string): Omission | undefined {
  return knownFile.test(name)
    ? { kind: 'known', reason: 'A file that systems make for themselves' }
    : undefined;
}
