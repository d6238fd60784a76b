import type { Raster } from '../content/image/raster.ts';
import { distance, type Quad } from './geometry.ts';

export const LINE_HEIGHT = 48;
const MAX_WIDTH = 3200;
/** Boxes with a height-to-width ratio above this hold vertical text. */
const VERTICAL = 1.8;
const MAX_SAMPLES = 4;

export interface Crop {
  quad: Quad;
  /** Width in pixels after scaling the line to the model's input height. */
  width: number;
  /** Horizontal scale factor applied to lines with wide letters; 1 if unchanged. */
  narrowed: number;
  height: number;
}

export function toCrop(quad: Quad): Crop {
  const [a, b, c, d] = quad;
  const [width, height] = [distance(a, b), distance(a, d)];
  if (height > width * VERTICAL) return toCrop([d, a, b, c]);
  const scaled = Math.round((LINE_HEIGHT * width) / Math.max(1, height));
  return { quad, width: Math.min(MAX_WIDTH, Math.max(1, scaled)), narrowed: 1, height };
}

/** Rectifies lines into one BGR tensor, scaled to -1…1 and zero-padded on the right. */
export function cropTensor(page: Raster, crops: readonly Crop[], width: number): Float32Array {
  const size = 3 * LINE_HEIGHT * width;
  const tensor = new Float32Array(crops.length * size);
  for (const [i, crop] of crops.entries())
    sample(page, crop, tensor.subarray(i * size, (i + 1) * size), width);
  return tensor;
}

function sample(
  { data, width, height }: Raster,
  crop: Crop,
  tensor: Float32Array,
  stride: number,
): void {
  const [[startX, startY], right, , below] = crop.quad;
  // Supersampling when downscaling: otherwise thin strokes would be lost.
  const samples = Math.max(1, Math.min(MAX_SAMPLES, Math.round(crop.height / LINE_HEIGHT)));
  const ex = (right[0] - startX) / crop.width / samples;
  const ey = (right[1] - startY) / crop.width / samples;
  const fx = (below[0] - startX) / LINE_HEIGHT / samples;
  const fy = (below[1] - startY) / LINE_HEIGHT / samples;
  const norm = 1 / (samples * samples * 127.5);
  const plane = LINE_HEIGHT * stride;
  const row = width * 3;
  const lastX = width - 1.001;
  const lastY = height - 1.001;
  for (let y = 0; y < LINE_HEIGHT; y += 1) {
    for (let x = 0; x < crop.width; x += 1) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let v = y * samples + 0.5; v < (y + 1) * samples; v += 1) {
        for (let u = x * samples + 0.5; u < (x + 1) * samples; u += 1) {
          // Bilinear interpolation.
          const px = Math.min(lastX, Math.max(0, startX + ex * u + fx * v - 0.5));
          const py = Math.min(lastY, Math.max(0, startY + ey * u + fy * v - 0.5));
          const left = Math.trunc(px);
          const top = Math.trunc(py);
          const d = (px - left) * (py - top);
          const c = py - top - d;
          const b = px - left - d;
          const a = 1 - b - c - d;
          const i = top * row + left * 3;
          const j = i + row;
          red +=
            (data[i] ?? 0) * a +
            (data[i + 3] ?? 0) * b +
            (data[j] ?? 0) * c +
            (data[j + 3] ?? 0) * d;
          green +=
            (data[i + 1] ?? 0) * a +
            (data[i + 4] ?? 0) * b +
            (data[j + 1] ?? 0) * c +
            (data[j + 4] ?? 0) * d;
          blue +=
            (data[i + 2] ?? 0) * a +
            (data[i + 5] ?? 0) * b +
            (data[j + 2] ?? 0) * c +
            (data[j + 5] ?? 0) * d;
        }
      }
      const at = y * stride + x;
      tensor[at] = blue * norm - 1;
      tensor[at + plane] = green * norm - 1;
      tensor[at + 2 * plane] = red * norm - 1;
    }
  }
}
