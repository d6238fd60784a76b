import { chainsOf, denseLayersOf } from './chains.ts';
import { integerChain, integerLayer, type Ranges } from './integer-chain.ts';
import type { Layer } from './layers.ts';
import { readGraph, withNodes, writeNode } from './model.ts';

/** The model with those of its wide layers in 8-bit integers of which it is known what they are given. */
export function inIntegers(file: Buffer, ranges: Ranges): Buffer {
  const graph = readGraph(file);
  const isKnown = (layer: Layer | undefined) => layer !== undefined && layer.input in ranges;
  const parts = [
    ...chainsOf(graph)
      .filter(([first]) => isKnown(first))
      .map((layers) => ({ layers, draft: integerChain(layers, ranges) })),
    ...denseLayersOf(graph)
      .filter(isKnown)
      .map((layer) => ({ layers: [layer], draft: integerLayer(layer, ranges) })),
  ];
  if (parts.length === 0) return file;
  const replaced = new Set(parts.flatMap(({ layers }) => layers.flatMap(({ nodes }) => nodes)));
  const byFirst = new Map(parts.map(({ layers, draft }) => [layers[0]?.nodes[0], draft]));
  const kept = graph.nodes.filter((node) => !replaced.has(node));
  const used = new Set([...graph.outputs, ...kept.flatMap(({ inputs }) => inputs)]);
  const isUsed = (name: string) => used.has(name);
  const nodes = graph.nodes.flatMap((node) => {
    const draft = byFirst.get(node);
    if (draft) return draft.nodes.map(writeNode);
    const isLeft = !replaced.has(node) && (node.op !== 'Constant' || node.outputs.some(isUsed));
    return isLeft ? [node.bytes] : [];
  });
  const tensors = parts.flatMap(({ draft }) => draft.tensors);
  return withNodes(file, { nodes, tensors, isUsed });
}
