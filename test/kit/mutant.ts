import { mulberry32 } from '../chaos/random.ts';

/** Replaces bytes at random places, behind the signature that the type is recognised by. */
export function mutant(bytes: Buffer, seed: number, spots: number): Buffer {
  const random = mulberry32(seed);
  const changed = Buffer.from(bytes);
  for (let i = 0; i < spots; i += 1)
    changed[600 + Math.floor(random() * (bytes.length - 600))] = Math.floor(random() * 256);
  return changed;
}
