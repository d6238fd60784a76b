import { expect, test } from 'vitest';
import type { Quad } from './geometry.ts';
import { lineText, printedLines, type Segment } from './reading-order.ts';

function segment(text: string, x: number, y: number, skew: number): Segment {
  const at = (dx: number, dy: number): [number, number] => {
    const [px, py] = [x + dx, y + dy];
    return [px * Math.cos(skew) - py * Math.sin(skew), px * Math.sin(skew) + py * Math.cos(skew)];
  };
  const quad: Quad = [at(0, 0), at(50, 0), at(50, 10), at(0, 10)];
  return { quad, height: 10, words: [{ text, confidence: 1, box: [x, y, x + 50, y + 10] }] };
}

test.each([0, 0.08, -0.08])('lines are found on a page that leans by %f', (skew) => {
  const segments = [
    segment('12.50', 400, 102, skew),
    segment('Total', 0, 100, skew),
    segment('Receipt', 0, 0, skew),
    segment('thanks', 0, 120, skew),
  ];
  expect(printedLines(segments, skew).map(lineText)).toEqual(['Receipt', 'Total 12.50', 'thanks']);
});
