import { findLayers, type Layer, soleConsumers } from './layers.ts';
import type { Graph } from './model.ts';

/**
 * Minimum number of channels for quantisation to pay off. In narrow layers a few large channels
 * determine the scale of all, which costs accuracy.
 */
const minChannels = { pointwise: 128, depthwise: 128, dense: 64 };

/**
 * Finds chains of consecutive pointwise and depthwise convolutions that are worth quantising. A
 * chain ends with a pointwise one: its int32 sums can be converted to floats without rounding.
 */
export function findChains(graph: Graph): Layer[][] {
  const next = soleConsumers(graph);
  const chains: Layer[][] = [];
  for (const layer of findLayers(graph, next).filter(isQuantisable)) {
    const chain = chains.find((one) => next(one.at(-1)?.nodes.at(-1)) === layer.nodes[0]);
    if (chain) chain.push(layer);
    else chains.push([layer]);
  }
  return chains
    .map((chain) => chain.slice(0, chain.findLastIndex(isPointwise) + 1))
    .filter(({ length }) => length > 0);
}

function isQuantisable(layer: Layer): boolean {
  const [channels = 0] = layer.dims;
  if (layer.activation !== 'HardSwish') return false;
  return isPointwise(layer)
    ? channels >= minChannels.pointwise
    : isDepthwise(layer) && channels >= minChannels.depthwise;
}

/** Dense convolutions (kernel > 1) over many channels, quantised individually. */
export function findDenseLayers(graph: Graph): Layer[] {
  return findLayers(graph, soleConsumers(graph)).filter(
    ({ activation, dims: [, inputs = 0, ...kernel] }) =>
      activation !== 'HardSwish' && inputs >= minChannels.dense && kernel.some((size) => size > 1),
  );
}

function isPointwise({
  dims: [, , ...kernel],
  attributes: { group = [1], strides = [], pads = [] },
}: Layer): boolean {
  const isPlain = strides.every((step) => step === 1) && pads.every((pad) => pad === 0);
  return kernel.every((size) => size === 1) && group[0] === 1 && isPlain;
}

const isDepthwise = ({
  dims: [outputs, inputs],
  attributes: { group = [1], dilations = [] },
}: Layer): boolean => inputs === 1 && group[0] === outputs && dilations.every((step) => step === 1);
