import { z } from 'zod';
import { itemKinds } from '../domain/batch-ledger.ts';

/**
 * Limits for one uploaded file, including everything nested in it. The content of a mailbox counts
 * twice: once as messages, once as the parts of those messages.
 */
export const unpackLimits = {
  entries: 25_000,
  bytes: 4 * 2 ** 30,
  /** Maximum nesting of containers within containers. */
  depth: 5,
  /** Maximum decompression ratio; see `Budget` for when it applies. */
  ratio: 100,
};
export type UnpackLimits = Pick<typeof unpackLimits, 'entries' | 'bytes' | 'ratio'>;

const place = { position: z.int(), name: z.string() };

/** One entry of a container: a file on disk, or the reason why it was omitted. */
export const unpackedEntry = z.union([
  z.object({ ...place, path: z.string() }),
  z.object({ ...place, kind: z.enum(itemKinds).exclude(['duplicate']), reason: z.string() }),
]);
export type UnpackedEntry = z.infer<typeof unpackedEntry>;
export type EntryPlace = Pick<UnpackedEntry, 'position' | 'name'>;
export type Omission = Omit<Exclude<UnpackedEntry, { path: string }>, keyof EntryPlace>;

/** Metadata files that operating systems create on their own. */
const knownFile = /(^|\/)(__MACOSX\/.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

export function knownFileOmission(name: string): Omission | undefined {
  return knownFile.test(name)
    ? { kind: 'known', reason: 'A metadata file of the operating system' }
    : undefined;
}
