import type { Layer } from './layers.ts';

/**
 * 7-bit instead of 8-bit weights: CPUs without int8 dot product instructions (VNNI) add two
 * products in 16 bits, which 2 × 255 × 127 would overflow.
 */
const MAX_WEIGHT = 63;

export interface IntegerWeights {
  values: Int8Array;
  steps: Float32Array;
}

export function integerWeights({ weights, bias }: Pick<Layer, 'weights' | 'bias'>): IntegerWeights {
  const size = weights.length / bias.length;
  const values = new Int8Array(weights.length);
  const steps = Float32Array.from(bias, (_, channel) => {
    const row = weights.subarray(channel * size, (channel + 1) * size);
    const step = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX_WEIGHT || 1;
    for (const [i, value] of row.entries()) values[channel * size + i] = Math.round(value / step);
    return step;
  });
  return { values, steps };
}

export function transposed(values: Int8Array, rows: number): Int8Array {
  const columns = values.length / rows;
  return Int8Array.from(values, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] ?? 0);
}
