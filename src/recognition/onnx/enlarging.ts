import { type Next, readAffine, soleConsumers } from './layers.ts';
import { type Graph, type GraphNode, readGraph } from './model.ts';
import { type Draft, type Replacement, replace } from './replace.ts';
import { floatsIn } from './tensor.ts';

/** A transposed convolution whose stride equals its kernel: each pixel becomes its own square. */
interface Upsampling {
  input: string;
  output: string;
  from: number;
  to: number;
  side: number;
  /** In the order input channel, output channel, row, column. */
  weights: Float32Array;
  bias: Float32Array;
  nodes: readonly GraphNode[];
}

/**
 * Replaces two consecutive transposed convolutions by pointwise convolutions at low resolution and
 * a final DepthToSpace. The results are identical, since no squares overlap; ONNX Runtime computes
 * this form faster.
 */
export function enlargeLast(file: Buffer): Buffer {
  const graph = readGraph(file);
  const next = soleConsumers(graph);
  return replace(
    file,
    graph,
    graph.nodes.flatMap((node) => findPair(graph, next, node)),
  );
}

function findPair(graph: Graph, next: Next, node: GraphNode): Replacement[] {
  const first = findUpsampling(graph, next, node);
  const normalising = next(first?.nodes.at(-1));
  const rectifying = next(normalising);
  const second = findUpsampling(graph, next, next(rectifying));
  if (!first || !second || second.to !== 1) return [];
  if (normalising?.op !== 'BatchNormalization' || rectifying?.op !== 'Relu') return [];
  const affine = readAffine(graph, normalising);
  if (!affine) return [];
  const factors = affine.factors;
  const scaled = {
    ...first,
    weights: first.weights.map(
      (value, i) => value * (factors[Math.floor(i / first.side ** 2) % first.to] ?? 0),
    ),
    bias: first.bias.map(
      (value, channel) => value * (factors[channel] ?? 0) + (affine.offsets[channel] ?? 0),
    ),
  };
  const replaced = [...first.nodes, normalising, rectifying, ...second.nodes];
  return [{ ...draftReplacement(scaled, second), replaced }];
}

function findUpsampling(
  graph: Graph,
  next: Next,
  node: GraphNode | undefined,
): Upsampling | undefined {
  if (node?.op !== 'ConvTranspose') return undefined;
  const [input = '', kernelName = ''] = node.inputs;
  const kernel = graph.constants.get(kernelName);
  const weights = floatsIn(kernel);
  const [from = 0, to = 0, side = 0, width = 0] = kernel?.dims ?? [];
  const { group = [1], strides = [], pads = [], dilations = [] } = node.attributes;
  const hasNoOverlap = strides.every((step) => step === side) && pads.every((pad) => pad === 0);
  const isPlain = width === side && group[0] === 1 && dilations.every((step) => step === 1);
  const adding = next(node);
  const bias = floatsIn(graph.constants.get(adding?.inputs[1] ?? ''));
  if (!weights || !hasNoOverlap || !isPlain || adding?.op !== 'Add' || bias?.length !== to)
    return undefined;
  const [output = ''] = adding.outputs;
  return { input, output, from, to, side, weights, bias, nodes: [node, adding] };
}

function draftReplacement(first: Upsampling, second: Upsampling): Draft {
  const { input, from, to, side } = first;
  const blocksize = side * second.side;
  const channels = side ** 2 * to;
  const pixels = blocksize ** 2;
  const name = (part: string) => `${second.output}/small/${part}`;
  return {
    tensors: [
      { name: name('weights'), dims: [channels, from, 1, 1], data: pointwiseWeights(first) },
      { name: name('bias'), dims: [channels], data: repeat(first.bias, side ** 2) },
      {
        name: name('last-weights'),
        dims: [pixels, channels, 1, 1],
        data: outputWeights(first, second),
      },
      { name: name('last-bias'), dims: [pixels], data: repeat(second.bias, pixels) },
    ],
    nodes: [
      { op: 'Conv', inputs: [input, name('weights'), name('bias')], output: name('sum') },
      { op: 'Relu', inputs: [name('sum')], output: name('rectified') },
      {
        op: 'Conv',
        inputs: [name('rectified'), name('last-weights'), name('last-bias')],
        output: name('pixels'),
      },
      {
        op: 'DepthToSpace',
        inputs: [name('pixels')],
        output: second.output,
        attributes: { blocksize },
      },
    ],
  };
}

/** Reorders weights: all channels of the first pixel of the square, then of the second, etc. */
function pointwiseWeights({ weights, from, to, side }: Upsampling): Float32Array {
  const squares = side ** 2;
  return Float32Array.from({ length: weights.length }, (_, i) => {
    const row = Math.floor(i / from);
    const [square, channel] = [Math.floor(row / to), row % to];
    return weights[((i % from) * to + channel) * squares + square] ?? 0;
  });
}

/** Each output pixel depends only on the channels of its own inner square. */
function outputWeights({ to, side }: Upsampling, second: Upsampling): Float32Array {
  const channels = side ** 2 * to;
  const pixels = (side * second.side) ** 2;
  const weights = new Float32Array(pixels * channels);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const [square, inner] = locatePixel(pixel, side, second.side);
    for (let channel = 0; channel < to; channel += 1) {
      weights[pixel * channels + square * to + channel] =
        second.weights[channel * second.side ** 2 + inner] ?? 0;
    }
  }
  return weights;
}

/** Maps a pixel of the output square (row-major) to its first-level square and position in it. */
function locatePixel(
  pixel: number,
  side: number,
  innerSide: number,
): [square: number, inner: number] {
  const large = side * innerSide;
  const [row, column] = [Math.floor(pixel / large), pixel % large];
  const square = Math.floor(row / innerSide) * side + Math.floor(column / innerSide);
  return [square, (row % innerSide) * innerSide + (column % innerSide)];
}

const repeat = (values: Float32Array, times: number): Float32Array =>
  Float32Array.from({ length: values.length * times }, (_, i) => values[i % values.length] ?? 0);
