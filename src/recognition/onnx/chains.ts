import { findLayers, type Layer, soleConsumers } from './layers.ts';
import type { Graph } from './model.ts';

/** Channels from which on a layer gains more than it loses: in narrow ones a few large channels set the scale of all. */
const wide = { pointwise: 128, depthwise: 128, dense: 64 };

/**
 * Layers that follow one another and are worth computing in integers: convolutions of single pixels and those of each
 * channel for itself. A chain ends with one of single pixels, whose sums can leave it as floats, unrounded.
 */
export function findChains(graph: Graph): Layer[][] {
  const next = soleConsumers(graph);
  const chains: Layer[][] = [];
  for (const layer of findLayers(graph, next).filter(isServed)) {
    const chain = chains.find((one) => next(one.at(-1)?.nodes.at(-1)) === layer.nodes[0]);
    if (chain) chain.push(layer);
    else chains.push([layer]);
  }
  return chains
    .map((chain) => chain.slice(0, chain.findLastIndex(isPointwise) + 1))
    .filter(({ length }) => length > 0);
}

function isServed(layer: Layer): boolean {
  const [channels = 0] = layer.dims;
  if (layer.activation !== 'HardSwish') return false;
  return isPointwise(layer)
    ? channels >= wide.pointwise
    : isDepthwise(layer) && channels >= wide.depthwise;
}

/** Convolutions of neighbouring pixels over many channels, which stand alone. */
export function findDenseLayers(graph: Graph): Layer[] {
  return findLayers(graph, soleConsumers(graph)).filter(
    ({ activation, dims: [, inputs = 0, ...kernel] }) =>
      activation !== 'HardSwish' && inputs >= wide.dense && kernel.some((size) => size > 1),
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
