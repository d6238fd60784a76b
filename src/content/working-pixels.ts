/** About A4 at 250 dots per inch. More pixels cost time without improving recognition. */
const maxUseful = 6_000_000;

export function workingPixels(maxPixels: number): number {
  return Math.min(maxPixels, maxUseful);
}
