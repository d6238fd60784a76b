import type { Attributes, Graph, GraphNode } from './model.ts';
import { floatsIn } from './tensor.ts';

/** A convolution with the normalisation folded into it, and the HardSwish that follows. */
export interface Layer {
  input: string;
  /** Before the activation. */
  sum: string;
  output: string;
  /** One row an output channel. */
  weights: Float32Array;
  dims: readonly number[];
  bias: Float32Array;
  attributes: Attributes;
  nodes: readonly GraphNode[];
}

/** What follows a node and alone takes what it gives. */
export type Next = (node: GraphNode | undefined) => GraphNode | undefined;

export function layersOf(graph: Graph, next: Next): Layer[] {
  return graph.nodes.flatMap((conv) => {
    const normalisation = next(conv);
    const activation = next(normalisation);
    if (conv.op !== 'Conv' || normalisation?.op !== 'BatchNormalization' || activation?.op !== 'HardSwish') return [];
    const folded = fold(graph, conv, normalisation);
    const [[input = ''], [sum = ''], [output = '']] = [conv.inputs, normalisation.outputs, activation.outputs];
    const nodes = [conv, normalisation, activation];
    return folded ? [{ ...folded, input, sum, output, attributes: conv.attributes, nodes }] : [];
  });
}

/** What leaves the graph is taken by someone outside too. */
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

/** (conv(x) - mean) × gain ÷ √(variance + ε) + shift is one convolution. */
function fold({ constants }: Graph, conv: GraphNode, { inputs, floats }: GraphNode) {
  const [weights, bias] = conv.inputs.slice(1).map((name) => constants.get(name));
  const [gain, shift, mean, variance] = inputs.slice(1).map((name) => floatsIn(constants.get(name)));
  const rows = floatsIn(weights);
  if (!weights || !rows || !gain || !shift || !mean || !variance) return undefined;
  const epsilon = floats.epsilon ?? EPSILON;
  const factors = gain.map((value, channel) => value / Math.sqrt((variance[channel] ?? 0) + epsilon));
  const size = rows.length / gain.length;
  const start = floatsIn(bias);
  return {
    dims: weights.dims,
    weights: rows.map((value, i) => value * (factors[Math.floor(i / size)] ?? 0)),
    bias: mean.map((value, c) => ((start?.[c] ?? 0) - value) * (factors[c] ?? 0) + (shift[c] ?? 0)),
  };
}

/** As ONNX has it where a file says nothing. */
const EPSILON = 1e-5;
