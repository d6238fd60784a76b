import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { type Conv, tinyModel } from '../../../test/kit/tiny-model.ts';
import type { Ranges } from './integer-chain.ts';
import { inIntegers } from './integers.ts';
import { readGraph, withOutputs } from './model.ts';

const WIDE = 256;
const pointwise = (from: number, to: number): Conv => ({ from, to, kernel: 1 });
const depthwise = (channels: number, strides = [1, 1]): Conv => ({
  from: channels,
  to: channels,
  kernel: 3,
  strides,
});
const chain = [pointwise(4, WIDE), depthwise(WIDE, [2, 1]), pointwise(WIDE, WIDE)];
const page = Float32Array.from({ length: 4 * 6 * 10 }, (_, i) => 2 * Math.sin(i * i));

async function run(model: Buffer): Promise<Record<string, number[]>> {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1 });
  const outputs = await session.run({ x: new Tensor('float32', page, [1, 4, 6, 10]) });
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data, Number)]),
  );
}

async function rangesOf(model: Buffer): Promise<Ranges> {
  const inside = readGraph(model).nodes.flatMap(({ outputs }) => outputs);
  const seen = await run(withOutputs(model, inside.slice(0, -1)));
  const ranges = Object.entries(seen).map(([name, values]) => [
    name,
    [Math.min(...values), Math.max(...values)],
  ]);
  return { ...Object.fromEntries(ranges), x: [-2, 2] };
}

/** Relative to the largest value. */
function mostApart(wanted: readonly number[] = [], got: readonly number[] = []): number {
  const apart = wanted.map((value, i) => Math.abs(value - (got[i] ?? Number.NaN)));
  return Math.max(...apart) / Math.max(...wanted.map(Math.abs));
}

const opsOf = (model: Buffer) => readGraph(model).nodes.map(({ op }) => op);

test('a chain of wide layers answers in integers nearly as it does in floats', async () => {
  const model = tinyModel(chain);
  const rewritten = inIntegers(model, await rangesOf(model));
  expect(opsOf(rewritten)).not.toContain('Conv');
  expect(opsOf(rewritten)).toEqual(
    expect.arrayContaining(['QLinearConv', 'QLinearMul', 'MatMulIntegerToFloat']),
  );
  const [floats, integers] = [await run(model), await run(rewritten)];
  expect(integers.y).toHaveLength(WIDE * 3 * 10);
  expect(Math.max(...(floats.y ?? []))).toBeGreaterThan(3);
  expect(mostApart(floats.y, integers.y)).toBeLessThan(0.04);
});

test('a dense layer gives in integers nearly what it gives in floats, and nothing below 0 after a Relu', async () => {
  const model = tinyModel([pointwise(4, 64), { from: 64, to: 8, kernel: 3 }], {
    activation: 'Relu',
  });
  const rewritten = inIntegers(model, await rangesOf(model));
  expect(opsOf(rewritten)).toEqual(
    expect.arrayContaining(['Conv', 'QLinearConv', 'DequantizeLinear']),
  );
  expect(opsOf(rewritten).filter((op) => op === 'Relu')).toHaveLength(1);
  const [floats, integers] = [await run(model), await run(rewritten)];
  expect(integers.y).toHaveLength(8 * 6 * 10);
  expect(floats.y).toContain(0);
  expect(Math.min(...(integers.y ?? []))).toBe(0);
  expect(mostApart(floats.y, integers.y)).toBeLessThan(0.04);
});

test('nothing that is no longer used stays in the file', async () => {
  const model = tinyModel(chain);
  const { nodes, constants } = readGraph(inIntegers(model, await rangesOf(model)));
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  expect([...constants.keys()].filter((name) => !used.has(name))).toEqual([]);
});

test('narrow layers, and those of each channel at the end of a chain, stay in floats', async () => {
  const model = tinyModel([pointwise(4, 16), pointwise(16, WIDE), depthwise(WIDE)]);
  const rewritten = inIntegers(model, await rangesOf(model));
  expect(opsOf(rewritten).filter((op) => op === 'Conv')).toHaveLength(2);
  expect(opsOf(rewritten)).toContain('MatMulIntegerToFloat');
  expect(opsOf(rewritten)).not.toContain('QLinearConv');
});

test('a chain ends where something else takes a result of it too', async () => {
  const model = tinyModel(chain, { outputs: ['y', 'layer1'] });
  const rewritten = inIntegers(model, await rangesOf(model));
  expect(opsOf(rewritten).filter((op) => op === 'Conv')).toHaveLength(1);
  const [floats, integers] = [await run(model), await run(rewritten)];
  expect(mostApart(floats.layer1, integers.layer1)).toBeLessThan(0.04);
});

test('a model without such layers is left alone', () => {
  const model = tinyModel(chain, { activation: 'Relu' });
  expect(inIntegers(model, {})).toBe(model);
});

test('layers of which nothing was measured stay in floats', () => {
  const model = tinyModel(chain);
  expect(inIntegers(model, {})).toBe(model);
});

test('a range that is missing is an error, not a guess', async () => {
  const model = tinyModel(chain);
  const { layer0: _, ...ranges } = await rangesOf(model);
  expect(() => inIntegers(model, ranges)).toThrow('No quantisation range for tensor layer0');
});
