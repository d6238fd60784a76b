import type { Layer } from './layers.ts';

/**
 * Seven bits and a sign would be eight; one fewer, since CPUs without instructions for dot products of bytes add two
 * products in 16 bits, which 255 × 127 twice would overflow.
 */
const MOST = 63;

export interface IntegerWeights {
  values: Int8Array;
  /** What 1 stands for in each row. */
  steps: Float32Array;
}

export function integerWeights({ weights, bias }: Pick<Layer, 'weights' | 'bias'>): IntegerWeights {
  const size = weights.length / bias.length;
  const values = new Int8Array(weights.length);
  const steps = Float32Array.from(bias, (_, channel) => {
    const row = weights.subarray(channel * size, (channel + 1) * size);
    const step = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MOST || 1;
    for (const [i, value] of row.entries()) values[channel * size + i] = Math.round(value / step);
    return step;
  });
  return { values, steps };
}

/** Rows become columns. */
export function transposed(values: Int8Array, rows: number): Int8Array {
  const columns = values.length / rows;
  return Int8Array.from(values, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] ?? 0);
}
