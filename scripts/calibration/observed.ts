import { findChains, findDenseLayers } from '../../src/recognition/onnx/chains.ts';
import { readGraph } from '../../src/recognition/onnx/model.ts';
import type { Observed } from './observe.ts';

/**
 * The share of values that may lie outside a range. At the input of a chain, cutting off rare
 * large values changed more letters than coarser steps did. Inside a chain, where every tensor is
 * rounded, finer steps mattered more.
 */
const outside = { entering: 1e-5, inside: 1e-4 };

/** The inputs of chains of layers, and the tensors inside them. */
export function tensorsOfChains(model: Buffer): Observed {
  const chains = findChains(readGraph(model));
  return new Map([
    ...chains.flatMap((chain) =>
      chain.slice(0, 1).map(({ input }) => [input, outside.entering] as const),
    ),
    ...chains.flatMap((chain) =>
      chain
        .slice(0, -1)
        .flatMap(({ sum, output }) => [sum, output].map((name) => [name, outside.inside] as const)),
    ),
  ]);
}

/** The inputs and outputs of dense layers. */
export function tensorsOfDenseLayers(model: Buffer): Observed {
  const layers = findDenseLayers(readGraph(model));
  return new Map(
    layers.flatMap(({ input, output }) =>
      [input, output].map((name) => [name, outside.entering] as const),
    ),
  );
}
