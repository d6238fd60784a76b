import { type Graph, type GraphNode, type NewNode, withNodes, writeNode } from './model.ts';
import type { Tensor } from './tensor.ts';

/** What is to stand in place of nodes. */
export interface Draft {
  nodes: NewNode[];
  tensors: Tensor[];
}

export interface Replacement extends Draft {
  /** The first of them is where the new ones will stand. */
  replaced: readonly GraphNode[];
}

/** The file with some of its nodes replaced, and without what nothing needs any more. */
export function replace(file: Buffer, graph: Graph, replacements: readonly Replacement[]): Buffer {
  if (replacements.length === 0) return file;
  const gone = new Set(replacements.flatMap(({ replaced }) => replaced));
  const byFirst = new Map(replacements.map((one) => [one.replaced[0], one]));
  const kept = graph.nodes.filter((node) => !gone.has(node));
  const added = replacements.flatMap(({ nodes }) => nodes);
  const used = new Set([...graph.outputs, ...[...kept, ...added].flatMap(({ inputs }) => inputs)]);
  const isUsed = (name: string) => used.has(name);
  const nodes = graph.nodes.flatMap((node) => {
    const instead = byFirst.get(node);
    if (instead) return instead.nodes.map(writeNode);
    const isLeft = !gone.has(node) && (node.op !== 'Constant' || node.outputs.some(isUsed));
    return isLeft ? [node.bytes] : [];
  });
  return withNodes(file, {
    nodes,
    tensors: replacements.flatMap(({ tensors }) => tensors),
    isUsed,
  });
}
