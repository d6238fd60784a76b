import { createHash } from 'node:crypto';
import { integerRanges } from './integer-ranges.ts';
import { enlargeLast } from './onnx/enlarging.ts';
import { inIntegers } from './onnx/integers.ts';
import { flushTinyWeights } from './weights.ts';

/** Optimises a model for inference. Quantises it to 8 bits if it has been calibrated. */
export function prepare(file: Buffer): Buffer {
  const ranges = integerRanges[fingerprint(file)];
  const model = enlargeLast(flushTinyWeights(file));
  return ranges ? inIntegers(model, ranges) : model;
}

export const isMeasured = (file: Buffer): boolean => fingerprint(file) in integerRanges;

export const fingerprint = (file: Buffer): string =>
  createHash('sha256').update(file).digest('hex');
