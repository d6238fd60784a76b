import { type HeadPart, isBuyerLabel, partsBelow } from './head.ts';

const blockLines = 5;

/** Whether the part stands under the label of the customer. */
export function isOfBuyer(part: HeadPart, head: readonly HeadPart[]): boolean {
  return head.some((other) => isBuyerLabel(other.text) && partsBelow(head, other).slice(0, blockLines).includes(part));
}
