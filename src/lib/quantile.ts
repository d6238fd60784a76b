/** The lowest level at which the cumulative histogram reaches `share` of its total. */
export function quantile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return histogram.findIndex((count) => {
    seen += count;
    return seen >= total * share;
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
