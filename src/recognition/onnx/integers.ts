import { findChains, findDenseLayers } from './chains.ts';
import { integerChain, integerLayer, type Ranges } from './integer-chain.ts';
import type { Layer } from './layers.ts';
import { readGraph } from './model.ts';
import { replace } from './replace.ts';

/** The model with those of its wide layers in 8-bit integers of which it is known what they are given. */
export function inIntegers(file: Buffer, ranges: Ranges): Buffer {
  const graph = readGraph(file);
  const isKnown = (layer: Layer | undefined) => layer !== undefined && layer.input in ranges;
  return replace(file, graph, [
    ...findChains(graph)
      .filter(([first]) => isKnown(first))
      .map((chain) => ({
        ...integerChain(chain, ranges),
        replaced: chain.flatMap(({ nodes }) => nodes),
      })),
    ...findDenseLayers(graph)
      .filter(isKnown)
      .map((layer) => ({ ...integerLayer(layer, ranges), replaced: layer.nodes })),
  ]);
}
