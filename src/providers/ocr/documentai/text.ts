const BEYOND_BMP = /[\u{10000}-\u{10FFFF}]/u;

/** Slices a text by code points, which the vendor uses as indices. */
export function codePoints(text: string): (start: number, end: number) => string {
  if (!BEYOND_BMP.test(text)) return (start, end) => text.slice(start, end);
  const points = Array.from(text);
  return (start, end) => points.slice(start, end).join('');
}
