import { createHash } from 'node:crypto';
import { integerRanges } from './integer-ranges.ts';
import { enlargeLast } from './onnx/enlarging.ts';
import { inIntegers } from './onnx/integers.ts';
import { flushTinyWeights } from './weights.ts';

/** A model as it is run: in 8-bit integers if its layers were measured, in floats if they were not. */
export function prepare(file: Buffer): Buffer {
  const ranges = integerRanges[fingerprint(file)];
  const model = enlargeLast(flushTinyWeights(file));
  return ranges ? inIntegers(model, ranges) : model;
}

/** Whether it is known what the layers of this model hold. */
export const isMeasured = (file: Buffer): boolean => fingerprint(file) in integerRanges;

export const fingerprint = (file: Buffer): string =>
  createHash('sha256').update(file).digest('hex');
