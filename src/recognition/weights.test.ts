import { expect, test } from 'vitest';
import { flushTinyWeights } from './weights.ts';

const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);

test('weights too small to matter become zero, the others stay', () => {
  const floats = Buffer.alloc(12);
  floats.writeFloatLE(0.5, 0);
  floats.writeFloatLE(1e-39, 4);
  floats.writeFloatLE(-1e-21, 8);
  const tensor = Buffer.concat([Buffer.from([2 * 8, 1]), field(9, floats)]);
  const flushed = flushTinyWeights(field(7, field(5, tensor)));
  const weights = flushed.subarray(-12);
  expect([0, 4, 8].map((at) => weights.readFloatLE(at))).toEqual([0.5, 0, 0]);
});
