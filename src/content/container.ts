import { z } from 'zod';
import { itemKinds } from '../domain/batch-ledger.ts';

/** Limits for one uploaded file, including everything nested in it at any depth. */
export interface UnpackLimits {
  entries: number;
  bytes: number;
  /** Maximum decompression ratio; see `Budget` for when it applies. */
  ratio: number;
}

/** Where an entry is: its number, and its path inside the container with `/` between folders. */
const place = { position: z.int().nonnegative(), name: z.string() };
const omission = { kind: z.enum(itemKinds).exclude(['duplicate']), reason: z.string() };

/** One entry as a child hands it over: a file named by its position, or why there is none. */
export const handedEntry = z.union([
  z.object({ ...place, bytes: z.int().nonnegative() }),
  z.object({ ...place, ...omission }),
]);
export type HandedEntry = z.infer<typeof handedEntry>;
export type EntryPlace = Pick<HandedEntry, 'position' | 'name'>;
export type Omission = Omit<Exclude<HandedEntry, { bytes: number }>, keyof EntryPlace>;

/** One entry of a container: a file on disk, or the reason why it was omitted. */
export type UnpackedEntry = EntryPlace & ({ path: string } | Omission);

/** Metadata files that operating systems create on their own. */
const knownFile = /(^|\/)(__MACOSX\/.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

export function knownFileOmission(name: string): Omission | undefined {
  return knownFile.test(name)
    ? { kind: 'known', reason: 'A metadata file of the operating system' }
    : undefined;
}
