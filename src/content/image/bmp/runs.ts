import { type BmpHeader, compressions } from './header.ts';

/** Expands run-length encoding into one palette index per pixel, in the order of stored rows. */
export function expandRuns(source: Buffer, header: BmpHeader): Uint8Array {
  const { width, height, compression } = header;
  const isNarrow = compression === compressions.rle4;
  const indexes = new Uint8Array(width * height);
  let [at, x, y] = [0, 0, 0];
  const put = (index: number) => {
    if (x < width && y < height) indexes[y * width + x] = index;
    x += 1;
  };
  /** The n-th index of a run: every byte has two in the narrow form. */
  const half = (byte: number, n: number) => (n % 2 === 0 ? byte >> 4 : byte & 15);
  while (at + 1 < source.length && y < height) {
    const [count, value] = [source[at] ?? 0, source[at + 1] ?? 0];
    at += 2;
    if (count > 0) {
      for (let n = 0; n < count; n += 1) put(isNarrow ? half(value, n) : value);
    } else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) break;
    else if (value === 2) {
      x += source[at] ?? 0;
      y += source[at + 1] ?? 0;
      at += 2;
    } else {
      for (let n = 0; n < value; n += 1)
        put(isNarrow ? half(source[at + (n >> 1)] ?? 0, n) : (source[at + n] ?? 0));
      const bytes = isNarrow ? (value + 1) >> 1 : value;
      at += bytes + (bytes % 2);
    }
  }
  return indexes;
}
