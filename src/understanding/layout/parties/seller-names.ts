import { median } from '../../../lib/quantile.ts';
import { hasLegalForm, trimCompanyName } from './company-name.ts';
import { type HeadPart, headLines } from './head.ts';
import { isBuyerLabel, isNotice, parseInscription } from './notice.ts';
import { findAddress, isOfOthers, type PageContext } from './page-context.ts';
import { wholeName } from './whole-name.ts';

interface SellerName {
  /** The line that looks like a name. */
  part: HeadPart;
  /** All lines of the name. */
  parts: readonly HeadPart[];
  /** Score for the position on the page. */
  place: number;
}

/**
 * Every possible name of the seller: at a label, in the sender line, at the top, or above an
 * address in the footer.
 */
export function namesOfSellers(context: PageContext): SellerName[] {
  return [...outrightIn(context), ...inHead(context), ...atFoot(context)];
}

const weights = {
  labelled: 1.5,
  sender: 0.9,
  name: 0.3,
  first: 0.25,
  lower: -0.07,
  foot: -0.3,
} as const;

function outrightIn({ blocks, sender, seller }: PageContext): SellerName[] {
  const owned = blocks
    .filter(({ owner }) => owner === 'supplier')
    .flatMap(({ names }) => names.slice(0, 1));
  return [
    ...[...(seller ? [seller] : []), ...owned].map((part) => ({
      part,
      parts: [part],
      place: weights.labelled,
    })),
    ...(sender ? [{ part: sender.name, parts: [sender.name], place: weights.sender }] : []),
  ];
}

function inHead(context: PageContext): SellerName[] {
  const head = context.parts.filter(({ row }) => row < headLines);
  const size = medianHeight(head);
  return head
    .filter((part) => isName(part, context))
    .map((part, rank) => ({
      part,
      parts: wholeName(head, part),
      place:
        weights.name +
        (rank === 0 ? weights.first : 0) +
        lowness(part, context) +
        larger(part, size),
    }));
}

/** If the logo is an image, the legal name is in the footer, above the address. */
function atFoot(context: PageContext): SellerName[] {
  const names = context.blocks
    .flatMap((block) => block.names.slice(0, 1))
    .filter(({ row }) => row >= headLines);
  return names
    .filter((part) => isName(part, context))
    .map((part) => ({ part, parts: [part], place: weights.name + weights.foot }));
}

function isName(part: HeadPart, context: PageContext): boolean {
  const name = trimCompanyName(part.text);
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || letters < (name.match(/\d/g)?.length ?? 0)) return false;
  if ((isNotice(name) && !hasLegalForm(name)) || isLabel(part)) return false;
  if (isBuyerLabel(part.text) || parseInscription(part.text)) return false;
  return !isOfOthers(part, context) && !isStreet(part, context);
}

function isLabel({ text, end, line }: HeadPart): boolean {
  return /:\s*$/.test(text) || /^\s*:/.test(line.text.slice(end));
}

function isStreet(part: HeadPart, { blocks }: PageContext): boolean {
  return blocks.some(({ lines, names }) => lines.includes(part) && !names.includes(part));
}

/**
 * Names further down are less likely. A name above an address scores no lower than one in the
 * footer.
 */
function lowness(part: HeadPart, context: PageContext): number {
  const low = weights.lower * part.row;
  return findAddress(part, context) ? Math.max(low, weights.foot) : low;
}

function larger({ box }: HeadPart, size: number): number {
  return box && size > 0 ? Math.min(0.2, Math.max(0, ((box[3] - box[1]) / size - 1.2) * 0.2)) : 0;
}

function medianHeight(head: readonly HeadPart[]): number {
  return median(head.flatMap(({ box }) => (box ? [box[3] - box[1]] : [])));
}
