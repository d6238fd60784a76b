import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { modelOf, normalisation, wave } from '../../../test/kit/tiny-model.ts';
import { enlargeLast } from './enlarging.ts';
import { readGraph } from './model.ts';

const page = Float32Array.from({ length: 4 * 3 * 5 }, (_, i) => 2 * Math.sin(i * i));

interface Variant {
  between?: string;
  stride?: number;
  to?: number;
}

/** From 4 channels to 3 to 1, doubling the size each time. */
function enlarging({ between = 'Relu', stride = 2, to = 1 }: Variant = {}): Buffer {
  const normal = normalisation('normal', 3);
  const attributes = {
    kernel_shape: [2, 2],
    strides: [stride, stride],
    pads: [0, 0, 0, 0],
    group: 1,
  };
  return modelOf({
    nodes: [
      { op: 'ConvTranspose', inputs: ['x', 'first'], output: 'large', attributes },
      { op: 'Add', inputs: ['large', 'first-bias'], output: 'added' },
      { op: 'BatchNormalization', inputs: ['added', ...normal.names], output: 'normal' },
      { op: between, inputs: ['normal'], output: 'between' },
      { op: 'ConvTranspose', inputs: ['between', 'second'], output: 'larger', attributes },
      { op: 'Add', inputs: ['larger', 'second-bias'], output: 'y' },
    ],
    tensors: [
      wave('first', [4, 3, 2, 2], 0.6),
      wave('first-bias', [1, 3, 1, 1], 0.3),
      ...normal.tensors,
      wave('second', [3, to, 2, 2], 0.9),
      wave('second-bias', [1, to, 1, 1], 0.2, 0.1),
    ],
  });
}

async function run(model: Buffer) {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1 });
  const { y } = await session.run({ x: new Tensor('float32', page, [1, 4, 3, 5]) });
  return { dims: y?.dims, values: Array.from(y?.data ?? [], Number) };
}

test('two enlargings are computed small and give the same picture', async () => {
  const model = enlarging();
  const rewritten = enlargeLast(model);
  expect(readGraph(rewritten).nodes.map(({ op }) => op)).toEqual([
    'Conv',
    'Relu',
    'Conv',
    'DepthToSpace',
  ]);
  const [before, after] = [await run(model), await run(rewritten)];
  expect(after.dims).toEqual([1, 1, 12, 20]);
  expect(before.dims).toEqual(after.dims);
  for (const [i, value] of before.values.entries()) expect(after.values[i]).toBeCloseTo(value, 4);
});

test.each([
  ['something else stands between them', { between: 'Sigmoid' }],
  ['their squares overlap', { stride: 1 }],
  ['more than one picture comes out', { to: 2 }],
])('they stay where %s', (_, variant) => {
  const model = enlarging(variant);
  expect(enlargeLast(model)).toBe(model);
});
