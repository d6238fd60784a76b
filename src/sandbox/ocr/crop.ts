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
  /** Height in pixels of the page. */
  height: number;
}

export function cropOf(quad: Quad): Crop {
  const [a, b, c, d] = quad;
  const [width, height] = [distance(a, b), distance(a, d)];
  if (height > width * VERTICAL) return cropOf([d, a, b, c]);
  const scaled = Math.round((LINE_HEIGHT * width) / Math.max(1, height));
  return { quad, width: Math.min(MAX_WIDTH, Math.max(1, scaled)), height };
}

/** Straightens lines into one tensor, blue green red from -1 to 1; narrower ones are padded with zeros on the right. */
export function cropTensor(page: Raster, crops: readonly Crop[], width: number): Float32Array {
  const size = 3 * LINE_HEIGHT * width;
  const tensor = new Float32Array(crops.length * size);
  for (const [i, crop] of crops.entries()) sample(page, crop, tensor.subarray(i * size, (i + 1) * size), width);
  return tensor;
}

function sample(page: Raster, crop: Crop, tensor: Float32Array, stride: number): void {
  const [origin, right, , below] = crop.quad;
  const ex = (right[0] - origin[0]) / crop.width;
  const ey = (right[1] - origin[1]) / crop.width;
  const fx = (below[0] - origin[0]) / LINE_HEIGHT;
  const fy = (below[1] - origin[1]) / LINE_HEIGHT;
  // Several samples a pixel where the line is made smaller, or thin strokes fall through.
  const samples = Math.max(1, Math.min(MAX_SAMPLES, Math.round(crop.height / LINE_HEIGHT)));
  const norm = 1 / (samples * samples * 127.5);
  const plane = LINE_HEIGHT * stride;
  const colour = new Float64Array(3);
  for (let y = 0; y < LINE_HEIGHT; y += 1) {
    for (let x = 0; x < crop.width; x += 1) {
      colour.fill(0);
      for (let s = 0; s < samples * samples; s += 1) {
        const u = x + ((s % samples) + 0.5) / samples;
        const v = y + (Math.floor(s / samples) + 0.5) / samples;
        addColour(page, origin[0] + ex * u + fx * v - 0.5, origin[1] + ey * u + fy * v - 0.5, colour);
      }
      const at = y * stride + x;
      tensor[at] = (colour[2] ?? 0) * norm - 1;
      tensor[at + plane] = (colour[1] ?? 0) * norm - 1;
      tensor[at + 2 * plane] = (colour[0] ?? 0) * norm - 1;
    }
  }
}

/** The colour at a point between pixels, by bilinear interpolation. */
function addColour({ data, width, height }: Raster, x: number, y: number, sum: Float64Array): void {
  const px = Math.min(width - 1.001, Math.max(0, x));
  const py = Math.min(height - 1.001, Math.max(0, y));
  const left = Math.floor(px);
  const top = Math.floor(py);
  const dx = px - left;
  const dy = py - top;
  const i = (top * width + left) * 3;
  const j = i + width * 3;
  for (let c = 0; c < 3; c += 1) {
    const above = (data[i + c] ?? 0) * (1 - dx) + (data[i + c + 3] ?? 0) * dx;
    const below = (data[j + c] ?? 0) * (1 - dx) + (data[j + c + 3] ?? 0) * dx;
    sum[c] = (sum[c] ?? 0) + above * (1 - dy) + below * dy;
  }
}
