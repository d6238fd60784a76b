import type { Grey } from './raster.ts';

/** What can be told of a page's pixels without reading it. Levels run from 0 (black) to 255 (white). */
export interface Measures {
  /** Level of the paper. */
  paper: number;
  /** Level of the ink. */
  ink: number;
  /** Steepest edges, as a share of the step from paper to ink: near 1 for crisp print. */
  sharpness: number;
  /** Share of pixels that stand alone against all their neighbours. */
  specks: number;
  /** Unrest of the paper in levels. */
  grain: number;
}

export function measure(page: Grey): Measures {
  const histogram = new Uint32Array(256);
  for (const level of page.data) histogram[level] = (histogram[level] ?? 0) + 1;
  const paper = quantile(histogram, 0.6);
  const ink = quantile(histogram, 0.01);
  return { paper, ink, sharpness: sharpness(page, Math.max(1, paper - ink)), ...unrest(page) };
}

/** Steps between neighbours, where there are any: print is mostly paper, so the steepest thousandths tell. */
function sharpness({ data, width, height }: Grey, contrast: number): number {
  const steps = new Uint32Array(256);
  for (let y = 0; y < height - 1; y += 1) {
    for (let i = y * width; i < (y + 1) * width - 1; i += 1) {
      const here = data[i] ?? 0;
      const step = Math.max(Math.abs(here - (data[i + 1] ?? 0)), Math.abs(here - (data[i + width] ?? 0)));
      steps[step] = (steps[step] ?? 0) + 1;
    }
  }
  return Math.min(1, quantile(steps, 0.99) / contrast);
}

const SPECK_STEP = 60;

function unrest({ data, width, height }: Grey): Pick<Measures, 'specks' | 'grain'> {
  const grains = new Uint32Array(256);
  let specks = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i += 1) {
      const here = data[i] ?? 0;
      const [up, down, left, right] = [data[i - width] ?? 0, data[i + width] ?? 0, data[i - 1] ?? 0, data[i + 1] ?? 0];
      const high = Math.max(up, down, left, right);
      const low = Math.min(up, down, left, right);
      if (here > high + SPECK_STEP || here < low - SPECK_STEP) specks += 1;
      const grain = Math.min(255, Math.abs(4 * here - up - down - left - right) >> 1);
      grains[grain] = (grains[grain] ?? 0) + 1;
    }
  }
  return { specks: specks / data.length, grain: quantile(grains, 0.5) };
}

export function quantile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return histogram.findIndex((count) => {
    seen += count;
    return seen >= total * share;
  });
}
