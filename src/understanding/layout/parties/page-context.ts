import { memoizeBy } from '../../../lib/memoize-by.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { type AddressBlock, findAddressBlocks } from './address-block.ts';
import { isOfBuyer } from './buyer-block.ts';
import { findHead, type HeadPart } from './head.ts';
import { labelledParty } from './labelled-party.ts';
import type { Inscription } from './notice.ts';
import { findSenderLine } from './sender-line.ts';

/** The first page, as needed to find seller and buyer. */
export interface PageContext {
  parts: readonly HeadPart[];
  blocks: readonly OwnedBlock[];
  sender: ReturnType<typeof findSenderLine>;
  /** The names printed at their labels. */
  seller: HeadPart | undefined;
  buyer: HeadPart | undefined;
}

export interface OwnedBlock extends AddressBlock {
  owner: Inscription | undefined;
}

/**
 * More than any real page contains. The limits bound the work for running text and crafted pages.
 */
const linesAtMost = 200;
const partsAtMost = 1000;

export const readPageContext = memoizeBy((reading: LayoutReading): PageContext => {
  const parts = findHead(reading, linesAtMost).slice(0, partsAtMost);
  const sender = findSenderLine(parts);
  const blocks = findAddressBlocks(parts).map((block) => ({ ...block, owner: ownerOf(block) }));
  return {
    parts,
    blocks,
    sender,
    seller: labelledParty(parts, 'supplier'),
    buyer: labelledParty(parts, 'buyer'),
  };

  function ownerOf({ inscription, lines, names: [name] }: AddressBlock): Inscription | undefined {
    const isAddressed = lines.some((line) => line === sender?.addressee);
    return (
      inscription ?? (isAddressed || (name && isUnderBuyer(name, parts)) ? 'buyer' : undefined)
    );
  }
});

/** The address below this name, if any. */
export function findAddress(part: HeadPart, { blocks }: PageContext): OwnedBlock | undefined {
  return blocks.find(({ names }) => names.includes(part));
}

/** Whether the part is on one of the two lines below a customer label. */
function isUnderBuyer(part: HeadPart, parts: readonly HeadPart[]): boolean {
  return isOfBuyer(part, parts, 2);
}

/** Whether the part is in an address of someone other than the seller. */
export function isOfOthers(part: HeadPart, { parts, blocks, sender, buyer }: PageContext): boolean {
  const block = blocks.find(({ lines }) => lines.includes(part));
  if (block?.owner) return block.owner !== 'supplier';
  const isBuyer =
    part === sender?.addressee || (part.row === buyer?.row && part.start === buyer.start);
  return isBuyer || isOfBuyer(part, parts);
}
