import type { PatternNode } from './syntax.ts';

interface Cost {
  /** Worst-case number of ways to match. */
  ways: number;
  /** Characters inspected in one of them. */
  steps: number;
}

/** How much a pattern varies. Throws if it repeats more often than a value has characters. */
export function costOf(node: PatternNode, longestValue: number): Cost {
  switch (node.kind) {
    case 'atom':
      return { ways: 1, steps: 1 };
    case 'sequence':
      return node.parts.reduce<Cost>(
        (sum, part) => {
          const { ways, steps } = costOf(part, longestValue);
          return { ways: sum.ways * ways, steps: sum.steps + steps };
        },
        { ways: 1, steps: 1 },
      );
    case 'choice': {
      const costs = node.options.map((option) => costOf(option, longestValue));
      return {
        ways: costs.reduce((sum, { ways }) => sum + ways, 0),
        steps: costs.reduce((sum, { steps }) => sum + steps - 1, 1),
      };
    }
    case 'repetition': {
      const { ways, steps } = costOf(node.of, longestValue);
      const isOpen = node.most === Number.POSITIVE_INFINITY;
      const most = isOpen ? longestValue : node.most;
      if (most > longestValue || node.least > longestValue)
        throw new Error(
          `"${node.written}" exceeds ${longestValue}, the longest value in characters`,
        );
      let sum = 0;
      for (let times = node.written === '+' ? 0 : node.least; times <= most; times++)
        sum += ways ** times;
      return { ways: sum, steps: steps * most };
    }
    default:
      return node satisfies never;
  }
}
