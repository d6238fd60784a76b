import { quantile } from '../../lib/quantile.ts';
import type { Grey } from './raster.ts';

/** Pixel statistics of a page. Grey levels run from 0 (black) to 255 (white). */
export interface Measures {
  paper: number;
  ink: number;
  /** Share of pixels that differ strongly from all four neighbours. */
  specks: number;
  grain: number;
}

/** Every n-th row is a sufficient sample for shares and medians. */
const ROW_STEP = 5;

export function measure(page: Grey): Measures {
  const histogram = new Uint32Array(256);
  for (let y = 0; y < page.height; y += ROW_STEP) {
    for (let i = y * page.width; i < (y + 1) * page.width; i += 1) {
      const level = page.data[i] ?? 0;
      histogram[level] = (histogram[level] ?? 0) + 1;
    }
  }
  return { paper: quantile(histogram, 0.6), ink: quantile(histogram, 0.01), ...measureNoise(page) };
}

const SPECK_STEP = 60;

function measureNoise({ data, width, height }: Grey): Pick<Measures, 'specks' | 'grain'> {
  const grains = new Uint32Array(256);
  let [specks, seen] = [0, 0];
  for (let y = 1; y < height - 1; y += ROW_STEP) {
    seen += width;
    for (let i = y * width + 1; i < (y + 1) * width - 1; i += 1) {
      const here = data[i] ?? 0;
      const up = data[i - width] ?? 0;
      const down = data[i + width] ?? 0;
      const left = data[i - 1] ?? 0;
      const right = data[i + 1] ?? 0;
      const high = Math.max(Math.max(up, down), Math.max(left, right));
      const low = Math.min(Math.min(up, down), Math.min(left, right));
      if (here > high + SPECK_STEP || here < low - SPECK_STEP) specks += 1;
      const grain = Math.min(255, Math.abs(4 * here - up - down - left - right) >> 1);
      grains[grain] = (grains[grain] ?? 0) + 1;
    }
  }
  return { specks: specks / Math.max(1, seen), grain: quantile(grains, 0.5) };
}
