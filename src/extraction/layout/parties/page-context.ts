import type { LayoutReading } from '../layout-reading.ts';
import { type AddressBlock, findAddressBlocks } from './address-block.ts';
import { isOfBuyer } from './buyer-block.ts';
import { findHead, type HeadPart } from './head.ts';
import { labelledParty } from './labelled-party.ts';
import type { Inscription } from './notice.ts';
import { findSenderLine } from './sender-line.ts';

/** The first page as the stage of the two parties. */
export interface PageContext {
  parts: readonly HeadPart[];
  blocks: readonly OwnedBlock[];
  sender: ReturnType<typeof findSenderLine>;
  /** The names at their labels. */
  seller: HeadPart | undefined;
  buyer: HeadPart | undefined;
}

export interface OwnedBlock extends AddressBlock {
  owner: Inscription | undefined;
}

/** More than any page has that people lay out; what goes on is running text, or made to take long. */
const linesAtMost = 200;
const partsAtMost = 1000;

export function readPageContext(reading: LayoutReading): PageContext {
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
}

/** The address that it is the name of, or may be. */
export function findAddress(part: HeadPart, { blocks }: PageContext): OwnedBlock | undefined {
  return blocks.find(({ names }) => names.includes(part));
}

/** Whether it is what the label of the customer stands over, or next to that. */
function isUnderBuyer(part: HeadPart, parts: readonly HeadPart[]): boolean {
  return isOfBuyer(part, parts, 2);
}

/** Whether it stands in an address that is somebody else's than the seller's. */
export function isOfOthers(part: HeadPart, { parts, blocks, sender, buyer }: PageContext): boolean {
  const block = blocks.find(({ lines }) => lines.includes(part));
  if (block?.owner) return block.owner !== 'supplier';
  const isBuyer =
    part === sender?.addressee || (part.row === buyer?.row && part.start === buyer.start);
  return isBuyer || isOfBuyer(part, parts);
}
