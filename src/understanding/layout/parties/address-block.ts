import type { Box } from '../../../domain/transcription.ts';
import { says } from '../labels.ts';
import { areApart } from '../line.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, isInColumn, partsBelow } from './head.ts';
import { type Inscription, isAttention, isLabelled, isNotice, parseInscription } from './notice.ts';
import { senderIn } from './sender-line.ts';
import { isTown } from './town.ts';

/** The lines of one column that describe a party: its name above street and town. */
export interface AddressBlock {
  /** Whose address it is, according to the label above it. */
  inscription: Inscription | undefined;
  /** Possible names: the lines above the street, from top to bottom. */
  names: readonly HeadPart[];
  lines: readonly HeadPart[];
  /** A phone number, tax ID or bank account belongs to it. */
  reachable: boolean;
}

const linesAtMost = 7;

export function findAddressBlocks(parts: readonly HeadPart[]): AddressBlock[] {
  return parts
    .filter(({ text }) => isTown(text) && !isNotice(text))
    .map((town) => blockOver(town, parts));
}

function blockOver(town: HeadPart, parts: readonly HeadPart[]): AddressBlock {
  const lines = [town];
  let above = lineOver(town, parts);
  while (above && lines.length < linesAtMost && isOfAddress(above, lines[0], parts)) {
    lines.unshift(above);
    above = lineOver(above, parts);
  }
  const inscription = above && isNear(above, lines[0]) ? parseInscription(above.text) : undefined;
  return { inscription, names: namesIn(lines), lines, reachable: isReachable(town, parts) };
}

/** The nearest part above in the same column. */
function lineOver(part: HeadPart, parts: readonly HeadPart[]): HeadPart | undefined {
  return parts.findLast((other) => other.row < part.row && isInColumn(other, part));
}

function isOfAddress(
  above: HeadPart,
  below: HeadPart | undefined,
  parts: readonly HeadPart[],
): boolean {
  if (!below || !follows(above, below) || parseInscription(above.text) || senderIn(above, parts))
    return false;
  return !isNotice(above.text) || hasLegalForm(above.text);
}

/** No empty line between them. The gap below a name in large type may be wider. */
function follows(above: HeadPart, below: HeadPart): boolean {
  if (!above.box || !below.box) return below.row === above.row + 1 && !below.line.apart;
  return (
    !areApart(above.box, below.box) || !areApart(above.box, withHeightOf(above.box, below.box))
  );
}

function withHeightOf([, top, , bottom]: Box, [left, from, right]: Box): Box {
  return [left, from, right, from + bottom - top];
}

const nearRows = 2;

function isNear(above: HeadPart, below: HeadPart | undefined): boolean {
  if (!below) return false;
  if (!above.box || !below.box) return below.row - above.row <= nearRows;
  return below.box[1] - above.box[3] < (1 + nearRows) * (below.box[3] - below.box[1]);
}

const namesAtMost = 3;

/** The street is the line with a number. A contact person is not the name of the party. */
function namesIn(lines: readonly HeadPart[]): HeadPart[] {
  const own = lines.slice(0, -1).filter((part) => !isAttention(part.text) && !isLabelled(part));
  const numbered = own.filter(({ text }) => /\d/.test(text));
  // If two lines have numbers, the first is a name that contains one.
  const street = numbered.length > 1 && numbered[0] === own[0] ? numbered[1] : numbered[0];
  return own.slice(0, Math.min(namesAtMost, street ? own.indexOf(street) : own.length));
}

const noticesAtMost = 5;

function isReachable(town: HeadPart, parts: readonly HeadPart[]): boolean {
  let last = town;
  for (const part of partsBelow(parts, town).slice(0, noticesAtMost)) {
    if (!follows(last, part)) return false;
    if (says(part.text, 'contact', 'vatId', 'bank', 'registration')) return true;
    last = part;
  }
  return false;
}
