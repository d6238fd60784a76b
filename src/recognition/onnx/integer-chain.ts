import { integerWeights, transposed } from './integer-weights.ts';
import type { Layer } from './layers.ts';
import { MICROSOFT } from './model.ts';
import type { Draft } from './replace.ts';
import { KNEE, LEVELS, type Range, type Scale, scaleBeforeSwish, toScale } from './scale.ts';
import type { Tensor } from './tensor.ts';

/** The least and the most that tensors hold, by name. */
export type Ranges = Readonly<Record<string, Range>>;

/** A tensor of bytes, channels last. */
interface Integers {
  name: string;
  scale: Scale;
}

const TO_CHANNELS_LAST = [0, 2, 3, 1];
const TO_CHANNELS_FIRST = [0, 3, 1, 2];

/** Floats in, floats out; between them bytes, which never leave the layout that integer kernels want. */
export function integerChain(chain: readonly Layer[], ranges: Ranges): Draft {
  const draft: Draft = { nodes: [], tensors: [] };
  const rangeOf = known(ranges);
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last) return draft;
  let at = enter(draft, first.input, toScale(rangeOf(first.input)));
  for (const layer of chain.slice(0, -1)) {
    const sum = convolve(draft, layer, at, scaleBeforeSwish(rangeOf(layer.sum)));
    at = swish(draft, sum, integers(draft, layer.output, toScale(rangeOf(layer.output))));
  }
  leave(draft, last, at);
  return draft;
}

/** One convolution in bytes; that nothing is below 0 after a Relu is in the range of what it gives. */
export function integerLayer(layer: Layer, ranges: Ranges): Draft {
  const draft: Draft = { nodes: [], tensors: [] };
  const rangeOf = known(ranges);
  const entered = enter(draft, layer.input, toScale(rangeOf(layer.input)));
  const result = convolve(draft, layer, entered, toScale(rangeOf(layer.output)));
  const turned = `${layer.output}/channels-last`;
  draft.nodes.push(
    { op: 'DequantizeLinear', inputs: [result.name, ...scaled(result)], output: turned },
    {
      op: 'Transpose',
      inputs: [turned],
      output: layer.output,
      attributes: { perm: TO_CHANNELS_FIRST },
    },
  );
  return draft;
}

const known =
  (ranges: Ranges) =>
  (name: string): Range => {
    const range = ranges[name];
    if (!range) throw new Error(`The range of ${name} is not known`);
    return range;
  };

function integers({ tensors }: Draft, of: string, scale: Scale): Integers {
  const name = `${of}/integers`;
  tensors.push(
    { name: `${name}/step`, dims: [], data: Float32Array.of(scale.step) },
    { name: `${name}/zero`, dims: [], data: Uint8Array.of(scale.zero) },
  );
  return { name, scale };
}

const scaled = ({ name }: Integers): string[] => [`${name}/step`, `${name}/zero`];

function enter(draft: Draft, input: string, scale: Scale): Integers {
  const entered = integers(draft, input, scale);
  const turned = `${input}/channels-last`;
  draft.nodes.push(
    { op: 'Transpose', inputs: [input], output: turned, attributes: { perm: TO_CHANNELS_LAST } },
    { op: 'QuantizeLinear', inputs: [turned, ...scaled(entered)], output: entered.name },
  );
  return entered;
}

function convolve(draft: Draft, layer: Layer, from: Integers, scale: Scale): Integers {
  const sum = integers(draft, layer.sum, scale);
  const { values, steps } = integerWeights(layer);
  const name = `${layer.sum}/weights`;
  const { group = [1] } = layer.attributes;
  draft.tensors.push({ name, dims: layer.dims, data: values }, ...perChannel(name, steps), {
    name: `${name}/bias`,
    dims: [steps.length],
    data: integerBias(layer, from.scale.step, steps),
  });
  draft.nodes.push({
    op: 'QLinearConv',
    domain: MICROSOFT,
    inputs: [
      from.name,
      ...scaled(from),
      name,
      `${name}/steps`,
      `${name}/zeros`,
      ...scaled(sum),
      `${name}/bias`,
    ],
    output: sum.name,
    attributes: { ...layer.attributes, group: group[0] ?? 1, channels_last: 1 },
  });
  return sum;
}

/** x × min(x + 3, 6) ÷ 6 with x from -3 on, which the integer 0 stands for: x + 3 is the integer itself. */
function swish({ nodes, tensors }: Draft, sum: Integers, output: Integers): Integers {
  const gate = `${sum.name}/gate`;
  tensors.push(
    { name: `${gate}/least`, dims: [], data: Uint8Array.of(0) },
    { name: `${gate}/most`, dims: [], data: Uint8Array.of(Math.min(LEVELS, 2 * sum.scale.zero)) },
    { name: `${gate}/step`, dims: [], data: Float32Array.of(sum.scale.step / (2 * KNEE)) },
  );
  const gated = [gate, `${gate}/step`, `${gate}/least`];
  nodes.push(
    { op: 'Clip', inputs: [sum.name, `${gate}/least`, `${gate}/most`], output: gate },
    {
      op: 'QLinearMul',
      domain: MICROSOFT,
      inputs: [sum.name, ...scaled(sum), ...gated, ...scaled(output)],
      output: output.name,
    },
  );
  return output;
}

function leave({ nodes, tensors }: Draft, layer: Layer, from: Integers): void {
  const { values, steps } = integerWeights(layer);
  const name = `${layer.sum}/weights`;
  const turned = `${layer.sum}/channels-last`;
  const [step = '', zero = ''] = scaled(from);
  tensors.push(
    {
      name,
      dims: [values.length / steps.length, steps.length],
      data: transposed(values, steps.length),
    },
    ...perChannel(name, steps),
    { name: `${name}/bias`, dims: [steps.length], data: layer.bias },
  );
  nodes.push(
    {
      op: 'MatMulIntegerToFloat',
      domain: MICROSOFT,
      inputs: [from.name, name, step, `${name}/steps`, zero, `${name}/zeros`, `${name}/bias`],
      output: turned,
    },
    {
      op: 'Transpose',
      inputs: [turned],
      output: layer.sum,
      attributes: { perm: TO_CHANNELS_FIRST },
    },
    { op: 'HardSwish', inputs: [layer.sum], output: layer.output },
  );
}

const perChannel = (name: string, steps: Float32Array): Tensor[] => [
  { name: `${name}/steps`, dims: [steps.length], data: steps },
  { name: `${name}/zeros`, dims: [steps.length], data: new Int8Array(steps.length) },
];

const integerBias = ({ bias }: Layer, step: number, steps: Float32Array): Int32Array =>
  Int32Array.from(bias, (value, channel) => Math.round(value / (step * (steps[channel] ?? 1))));
