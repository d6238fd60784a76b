import { type HeadPart, partsBelow } from './head.ts';
import { isBuyerLabel } from './notice.ts';

const blockLines = 5;

/** Whether the part is below a customer label. */
export function isOfBuyer(part: HeadPart, head: readonly HeadPart[], within = blockLines): boolean {
  return head.some(
    (other) => isBuyerLabel(other.text) && partsBelow(head, other).slice(0, within).includes(part),
  );
}
