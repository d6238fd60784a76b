import { type HeadPart, partsBelow } from './head.ts';
import { isBuyerLabel } from './notice.ts';

const blockLines = 5;

/** Whether the part stands under the label of the customer. */
export function isOfBuyer(part: HeadPart, head: readonly HeadPart[], within = blockLines): boolean {
  return head.some(
    (other) => isBuyerLabel(other.text) && partsBelow(head, other).slice(0, within).includes(part),
  );
}
