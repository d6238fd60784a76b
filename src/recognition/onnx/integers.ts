import { findChains, findDenseLayers } from './chains.ts';
import { integerChain, integerLayer, type Ranges } from './integer-chain.ts';
import type { Layer } from './layers.ts';
import { readGraph } from './model.ts';
import { replace } from './replace.ts';

/** Quantises the wide layers of a model to 8 bits, as far as their input ranges are calibrated. */
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
