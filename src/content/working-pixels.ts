/** More pixels cost time and show the recogniser nothing more: about A4 at 250 dots per inch. */
const enough = 6_000_000;

export function workingPixels(maxPixels: number): number {
  return Math.min(maxPixels, enough);
}
