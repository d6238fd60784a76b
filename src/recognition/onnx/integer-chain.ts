import { integerWeights, transposed } from './integer-weights.ts';
import type { Layer } from './layers.ts';
import { MICROSOFT } from './model.ts';
import type { Draft } from './replace.ts';
import { KNEE, LEVELS, type Range, type Scale, scaleBeforeSwish, toScale } from './scale.ts';
import type { Tensor } from './tensor.ts';

/** Calibrated minimum and maximum of tensors, by name. */
export type Ranges = Readonly<Record<string, Range>>;

/** A uint8 tensor in NHWC layout. */
interface Integers {
  name: string;
  scale: Scale;
}

const TO_CHANNELS_LAST = [0, 2, 3, 1];
const TO_CHANNELS_FIRST = [0, 3, 1, 2];

/** Float input and output; in between uint8 tensors that stay in the NHWC layout of the kernels. */
export function integerChain(chain: readonly Layer[], ranges: Ranges): Draft {
  const draft: Draft = { nodes: [], tensors: [] };
  const rangeOf = lookUpRange(ranges);
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last) return draft;
  let at = quantise(draft, first.input, toScale(rangeOf(first.input)));
  for (const layer of chain.slice(0, -1)) {
    const sum = convolve(draft, layer, at, scaleBeforeSwish(rangeOf(layer.sum)));
    at = swish(draft, sum, integers(draft, layer.output, toScale(rangeOf(layer.output))));
  }
  multiplyToFloat(draft, last, at);
  return draft;
}

/** A single quantised convolution. Relu needs no node: the output range starts at 0. */
export function integerLayer(layer: Layer, ranges: Ranges): Draft {
  const draft: Draft = { nodes: [], tensors: [] };
  const rangeOf = lookUpRange(ranges);
  const quantised = quantise(draft, layer.input, toScale(rangeOf(layer.input)));
  const result = convolve(draft, layer, quantised, toScale(rangeOf(layer.output)));
  const channelsLast = `${layer.output}/channels-last`;
  draft.nodes.push(
    { op: 'DequantizeLinear', inputs: [result.name, ...scaleInputs(result)], output: channelsLast },
    {
      op: 'Transpose',
      inputs: [channelsLast],
      output: layer.output,
      attributes: { perm: TO_CHANNELS_FIRST },
    },
  );
  return draft;
}

const lookUpRange =
  (ranges: Ranges) =>
  (name: string): Range => {
    const range = ranges[name];
    if (!range) throw new Error(`No quantisation range for tensor ${name}`);
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

const scaleInputs = ({ name }: Integers): string[] => [`${name}/step`, `${name}/zero`];

function quantise(draft: Draft, input: string, scale: Scale): Integers {
  const quantised = integers(draft, input, scale);
  const channelsLast = `${input}/channels-last`;
  draft.nodes.push(
    {
      op: 'Transpose',
      inputs: [input],
      output: channelsLast,
      attributes: { perm: TO_CHANNELS_LAST },
    },
    {
      op: 'QuantizeLinear',
      inputs: [channelsLast, ...scaleInputs(quantised)],
      output: quantised.name,
    },
  );
  return quantised;
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
      ...scaleInputs(from),
      name,
      `${name}/steps`,
      `${name}/zeros`,
      ...scaleInputs(sum),
      `${name}/bias`,
    ],
    output: sum.name,
    attributes: { ...layer.attributes, group: group[0] ?? 1, channels_last: 1 },
  });
  return sum;
}

/**
 * HardSwish for x ≥ -3: x × min(x + 3, 6) ÷ 6. The scale maps -3 to the integer 0, so the integer
 * itself represents x + 3.
 */
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
      inputs: [sum.name, ...scaleInputs(sum), ...gated, ...scaleInputs(output)],
      output: output.name,
    },
  );
  return output;
}

function multiplyToFloat({ nodes, tensors }: Draft, layer: Layer, from: Integers): void {
  const { values, steps } = integerWeights(layer);
  const name = `${layer.sum}/weights`;
  const channelsLast = `${layer.sum}/channels-last`;
  const [step = '', zero = ''] = scaleInputs(from);
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
      output: channelsLast,
    },
    {
      op: 'Transpose',
      inputs: [channelsLast],
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
