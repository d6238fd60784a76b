import type { Grey } from '../content/image/raster.ts';
import type { Word } from '../domain/transcription.ts';
import { median } from '../lib/quantile.ts';

export interface Print {
  confidence: number;
  height: number;
  /** Median of the steepest edge in a word relative to its contrast; near 1 for crisp print. */
  crispness: number;
  /** Median difference between ink and paper in a word, in grey levels. */
  contrast: number;
}

const MAX_WORDS = 150;

export function measurePrint(page: Grey, words: readonly Word[]): Print {
  const every = Math.ceil(words.length / MAX_WORDS);
  const sampled = words.filter((_, i) => i % every === 0).map(({ box }) => edgesIn(page, box));
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return {
    confidence:
      words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) /
      Math.max(1, characters),
    height: median(words.map(({ box }) => box[3] - box[1])),
    crispness: median(sampled.map(({ crispness }) => crispness)),
    contrast: median(sampled.map(({ contrast }) => contrast)),
  };
}

function edgesIn(
  { data, width, height }: Grey,
  [left, top, right, bottom]: Word['box'],
): { crispness: number; contrast: number } {
  const [x0, y0] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  const [x1, y1] = [Math.min(width - 1, Math.ceil(right)), Math.min(height - 1, Math.ceil(bottom))];
  const steps: number[] = [];
  let [low, high] = [255, 0];
  for (let y = y0; y < y1; y += 1) {
    let steepest = 0;
    for (let i = y * width + x0; i < y * width + x1; i += 1) {
      const here = data[i] ?? 0;
      low = Math.min(low, here);
      high = Math.max(high, here);
      steepest = Math.max(steepest, Math.abs(here - (data[i + 1] ?? 0)));
    }
    steps.push(steepest);
  }
  const contrast = Math.max(1, high - low);
  return {
    contrast,
    crispness: (steps.toSorted((a, b) => b - a)[steps.length >> 2] ?? 0) / contrast,
  };
}
