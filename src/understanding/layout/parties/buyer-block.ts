import { memoizeBy } from '../../../lib/memoize-by.ts';
import { type HeadPart, isInColumn } from './head.ts';
import { isBuyerLabel } from './notice.ts';

const blockLines = 5;

/** Whether the part is below a customer label. */
export function isOfBuyer(part: HeadPart, head: readonly HeadPart[], within = blockLines): boolean {
  return (ranksOf(head).get(part) ?? Number.POSITIVE_INFINITY) < within;
}

/** For each part below a customer label, how many parts of its column are between the two. */
const ranksOf = memoizeBy((head: readonly HeadPart[]): ReadonlyMap<HeadPart, number> => {
  const ranks = new Map<HeadPart, number>();
  for (const [at, label] of head.entries()) {
    if (!isBuyerLabel(label.text)) continue;
    for (const [rank, part] of blockBelow(label, head, at).entries())
      ranks.set(part, Math.min(rank, ranks.get(part) ?? rank));
  }
  return ranks;
});

/** A block is never farther below its label than this. */
const rowsBelow = 60;

function blockBelow(label: HeadPart, head: readonly HeadPart[], at: number): HeadPart[] {
  const block: HeadPart[] = [];
  for (let i = at + 1; i < head.length && block.length < blockLines; i++) {
    const part = head[i];
    if (!part || part.row > label.row + rowsBelow) break;
    if (part.row > label.row && isInColumn(part, label)) block.push(part);
  }
  return block;
}
