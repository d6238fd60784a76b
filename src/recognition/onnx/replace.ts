import { type Graph, type GraphNode, type NewNode, withNodes, writeNode } from './model.ts';
import type { Tensor } from './tensor.ts';

export interface Draft {
  nodes: NewNode[];
  tensors: Tensor[];
}

export interface Replacement extends Draft {
  /** The new nodes take the position of the first one. */
  replaced: readonly GraphNode[];
}

/** Replaces nodes and removes constants that are no longer used. */
export function replace(file: Buffer, graph: Graph, replacements: readonly Replacement[]): Buffer {
  if (replacements.length === 0) return file;
  const removed = new Set(replacements.flatMap(({ replaced }) => replaced));
  const byFirst = new Map(replacements.map((one) => [one.replaced[0], one]));
  const kept = graph.nodes.filter((node) => !removed.has(node));
  const added = replacements.flatMap(({ nodes }) => nodes);
  const used = new Set([...graph.outputs, ...[...kept, ...added].flatMap(({ inputs }) => inputs)]);
  const isUsed = (name: string) => used.has(name);
  const nodes = graph.nodes.flatMap((node) => {
    const replacement = byFirst.get(node);
    if (replacement) return replacement.nodes.map(writeNode);
    const isNeeded = !removed.has(node) && (node.op !== 'Constant' || node.outputs.some(isUsed));
    return isNeeded ? [node.bytes] : [];
  });
  return withNodes(file, {
    nodes,
    tensors: replacements.flatMap(({ tensors }) => tensors),
    isUsed,
  });
}
