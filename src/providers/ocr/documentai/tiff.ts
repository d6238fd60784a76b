const MAX_PAGES = 100_000;

/** Counts pages by following the chain of IFDs; undefined if the chain is broken. */
export function countTiffPages(bytes: Buffer): number | undefined {
  const little = bytes.toString('latin1', 0, 4) === 'II*\0';
  if (!little && bytes.toString('latin1', 0, 4) !== 'MM\0*') return undefined;
  const u16 = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  try {
    const seen = new Set<number>();
    for (let at = u32(4); at !== 0; at = u32(at + 2 + 12 * u16(at))) {
      if (seen.has(at) || seen.size >= MAX_PAGES) return undefined;
      seen.add(at);
    }
    return seen.size;
  } catch {
    return undefined;
  }
}
