import { chainsOf } from './chains.ts';
import { integerChain, type Ranges } from './integer-chain.ts';
import { readGraph, withNodes, writeNode } from './model.ts';

/** The model with its wide layers in 8-bit integers; one that has none of them stays as it is. */
export function inIntegers(file: Buffer, ranges: Ranges): Buffer {
  const graph = readGraph(file);
  const chains = chainsOf(graph);
  if (chains.length === 0) return file;
  const replaced = new Set(chains.flat().flatMap(({ nodes }) => nodes));
  const drafts = chains.map((chain) => integerChain(chain, ranges));
  const byFirst = new Map(chains.map(([first], i) => [first?.nodes[0], drafts[i]]));
  const kept = graph.nodes.filter((node) => !replaced.has(node));
  const used = new Set([...graph.outputs, ...kept.flatMap(({ inputs }) => inputs)]);
  const isUsed = (name: string) => used.has(name);
  const nodes = graph.nodes.flatMap((node) => {
    const draft = byFirst.get(node);
    if (draft) return draft.nodes.map(writeNode);
    const isLeft = !replaced.has(node) && (node.op !== 'Constant' || node.outputs.some(isUsed));
    return isLeft ? [node.bytes] : [];
  });
  const tensors = drafts.flatMap((draft) => draft.tensors);
  return withNodes(file, { nodes, tensors, isUsed });
}
