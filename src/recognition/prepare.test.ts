import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tinyModel } from '../../test/kit/tiny-model.ts';
import { recogniserFile } from './models.ts';
import { readGraph } from './onnx/model.ts';
import { prepare } from './prepare.ts';

const opsOf = (model: Buffer) => new Set(readGraph(model).nodes.map(({ op }) => op));

test('the recogniser that is installed is the one that was measured, and computes in integers', async () => {
  const ops = opsOf(prepare(await readFile(recogniserFile('latin'))));
  expect(ops).toContain('QLinearConv');
  expect(ops).toContain('MatMulIntegerToFloat');
});

test('a model that was not measured stays in floats', () => {
  const model = tinyModel([{ from: 4, to: 128, kernel: 1 }]);
  const untouched = Buffer.from(model);
  expect(prepare(model)).toEqual(untouched);
});
