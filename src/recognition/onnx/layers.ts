import type { Attributes, Graph, GraphNode } from './model.ts';
import { floatsIn } from './tensor.ts';

const activations = ['HardSwish', 'Relu'] as const;

/** A convolution with folded batch normalisation, and the activation that follows. */
export interface Layer {
  input: string;
  sum: string;
  output: string;
  activation: (typeof activations)[number] | undefined;
  /** One row per output channel. */
  weights: Float32Array;
  dims: readonly number[];
  bias: Float32Array;
  attributes: Attributes;
  nodes: readonly GraphNode[];
}

/** The only consumer of a node's output, if there is exactly one. */
export type Next = (node: GraphNode | undefined) => GraphNode | undefined;

export function findLayers(graph: Graph, next: Next): Layer[] {
  return graph.nodes.flatMap((conv) => {
    if (conv.op !== 'Conv') return [];
    const follower = next(conv);
    const normalisation = follower?.op === 'BatchNormalization' ? follower : undefined;
    const summing = normalisation ?? conv;
    const activating = next(summing);
    const activation = activations.find((op) => op === activating?.op);
    const last = activation && activating ? activating : summing;
    const folded = fold(graph, conv, normalisation);
    if (!folded) return [];
    const [[input = ''], [sum = ''], [output = '']] = [conv.inputs, summing.outputs, last.outputs];
    const nodes = [...new Set([conv, summing, last])];
    return [{ ...folded, input, sum, output, activation, attributes: conv.attributes, nodes }];
  });
}

/** Graph outputs have an additional consumer outside and never count as sole. */
export function soleConsumers({ nodes, outputs }: Graph): Next {
  const consumers = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    for (const input of node.inputs) consumers.set(input, [...(consumers.get(input) ?? []), node]);
  }
  return (node) => {
    const [output = ''] = node?.outputs ?? [];
    const [only, ...more] = consumers.get(output) ?? [];
    return more.length > 0 || outputs.includes(output) ? undefined : only;
  };
}

/** Folds batch normalisation into the weights and bias of the convolution. */
function fold(graph: Graph, conv: GraphNode, normalisation: GraphNode | undefined) {
  const [weights, bias] = conv.inputs.slice(1).map((name) => graph.constants.get(name));
  const rows = floatsIn(weights);
  const [outputs = 0] = weights?.dims ?? [];
  if (!weights || !rows) return undefined;
  const start = floatsIn(bias) ?? new Float32Array(outputs);
  if (!normalisation) return { dims: weights.dims, weights: rows, bias: start };
  const affine = readAffine(graph, normalisation);
  if (!affine) return undefined;
  const size = rows.length / outputs;
  return {
    dims: weights.dims,
    weights: rows.map((value, i) => value * (affine.factors[Math.floor(i / size)] ?? 0)),
    bias: start.map((value, c) => value * (affine.factors[c] ?? 0) + (affine.offsets[c] ?? 0)),
  };
}

/** Batch normalisation as x × factor + offset per channel. */
export function readAffine({ constants }: Graph, { inputs, floats }: GraphNode) {
  const [gain, shift, mean, variance] = inputs
    .slice(1)
    .map((name) => floatsIn(constants.get(name)));
  if (!gain || !shift || !mean || !variance) return undefined;
  const epsilon = floats.epsilon ?? EPSILON;
  const factors = gain.map(
    (value, channel) => value / Math.sqrt((variance[channel] ?? 0) + epsilon),
  );
  return {
    factors,
    offsets: shift.map((value, channel) => value - (mean[channel] ?? 0) * (factors[channel] ?? 0)),
  };
}

const EPSILON = 1e-5;
