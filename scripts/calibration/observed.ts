import { findChains, findDenseLayers } from '../../src/recognition/onnx/chains.ts';
import { readGraph } from '../../src/recognition/onnx/model.ts';
import type { Observed } from './observe.ts';

/**
 * The share of values that may lie beyond a range. Cutting off rare large values that enter a chain changed more letters
 * than coarser steps did; inside a chain, where every tensor is rounded, finer steps were worth more.
 */
const beyond = { entering: 1e-5, inside: 1e-4 };

/** What enters chains of layers, and what they hold inside. */
export function tensorsOfChains(model: Buffer): Observed {
  const chains = findChains(readGraph(model));
  return new Map([
    ...chains.flatMap((chain) =>
      chain.slice(0, 1).map(({ input }) => [input, beyond.entering] as const),
    ),
    ...chains.flatMap((chain) =>
      chain
        .slice(0, -1)
        .flatMap(({ sum, output }) => [sum, output].map((name) => [name, beyond.inside] as const)),
    ),
  ]);
}

/** What dense layers are given and give. */
export function tensorsOfDenseLayers(model: Buffer): Observed {
  const layers = findDenseLayers(readGraph(model));
  return new Map(
    layers.flatMap(({ input, output }) =>
      [input, output].map((name) => [name, beyond.entering] as const),
    ),
  );
}
