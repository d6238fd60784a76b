import type { Raster } from '../image/raster.ts';
import { distance, type Quad } from './geometry.ts';

export const LINE_HEIGHT = 48;
const MAX_WIDTH = 3200;
/** Above this, a box taller than wide holds text that runs downwards. */
const VERTICAL = 1.8;
const MAX_SAMPLES = 4;

export interface Crop {
  quad: Quad;
  /** Width in pixels once the line is scaled to the model's height. */
  width: number;
  /** How much of that width is left where wide letters were made narrower. */
  narrowed: number;
  /** Height in pixels of the page. */
  height: number;
}

export function cropOf(quad: Quad): Crop {
  const [a, b, c, d] = quad;
  const [width, height] = [distance(a, b), distance(a, d)];
  if (height > width * VERTICAL) return cropOf([d, a, b, c]);
  const scaled = Math.round((LINE_HEIGHT * width) / Math.max(1, height));
  return { quad, width: Math.min(MAX_WIDTH, Math.max(1, scaled)), narrowed: 1, height };
}

/** Straightens lines into one tensor, blue green red from -1 to 1; narrower ones are padded with zeros on the right. */
export function cropTensor(page: Raster, crops: readonly Crop[], width: number): Float32Array {
  const size = 3 * LINE_HEIGHT * width;
  const tensor = new Float32Array(crops.length * size);
  for (const [i, crop] of crops.entries()) sample(page, crop, tensor.subarray(i * size, (i + 1) * size), width);
  return tensor;
}

function sample({ data, width, height }: Raster, crop: Crop, tensor: Float32Array, stride: number): void {
  const [origin, right, , below] = crop.quad;
  const ex = (right[0] - origin[0]) / crop.width;
  const ey = (right[1] - origin[1]) / crop.width;
  const fx = (below[0] - origin[0]) / LINE_HEIGHT;
  const fy = (below[1] - origin[1]) / LINE_HEIGHT;
  // Several samples a pixel where the line is made smaller, or thin strokes fall through.
  const samples = Math.max(1, Math.min(MAX_SAMPLES, Math.round(crop.height / LINE_HEIGHT)));
  const norm = 1 / (samples * samples * 127.5);
  const plane = LINE_HEIGHT * stride;
  const row = width * 3;
  const [lastX, lastY] = [width - 1.001, height - 1.001];
  for (let y = 0; y < LINE_HEIGHT; y += 1) {
    for (let x = 0; x < crop.width; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let s = 0; s < samples * samples; s += 1) {
        const u = x + ((s % samples) + 0.5) / samples;
        const v = y + (Math.floor(s / samples) + 0.5) / samples;
        // Between pixels, the colour is a mean of the four around, by their nearness.
        const px = Math.min(lastX, Math.max(0, origin[0] + ex * u + fx * v - 0.5));
        const py = Math.min(lastY, Math.max(0, origin[1] + ey * u + fy * v - 0.5));
        const [left, top] = [Math.floor(px), Math.floor(py)];
        const [dx, dy] = [px - left, py - top];
        const [a, b, c, d] = [(1 - dx) * (1 - dy), dx * (1 - dy), (1 - dx) * dy, dx * dy];
        const i = top * row + left * 3;
        const j = i + row;
        red += (data[i] ?? 0) * a + (data[i + 3] ?? 0) * b + (data[j] ?? 0) * c + (data[j + 3] ?? 0) * d;
        green += (data[i + 1] ?? 0) * a + (data[i + 4] ?? 0) * b + (data[j + 1] ?? 0) * c + (data[j + 4] ?? 0) * d;
        blue += (data[i + 2] ?? 0) * a + (data[i + 5] ?? 0) * b + (data[j + 2] ?? 0) * c + (data[j + 5] ?? 0) * d;
      }
      const at = y * stride + x;
      tensor[at] = blue * norm - 1;
      tensor[at + plane] = green * norm - 1;
      tensor[at + 2 * plane] = red * norm - 1;
    }
  }
}
