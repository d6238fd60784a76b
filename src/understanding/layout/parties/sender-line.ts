import { fold } from '../../../lib/fold.ts';
import { says } from '../labels.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, nextParts, partsBelow } from './head.ts';
import { isAttention, isNotice } from './notice.ts';
import { isTown } from './town.ts';

interface SenderLine {
  /** The name of the sender. */
  name: HeadPart;
  /** The addressee of the letter: the first line below. */
  addressee: HeadPart | undefined;
}

/**
 * Letters for window envelopes print the sender on one small line above the addressee: name ·
 * street · town.
 */
export function findSenderLine(parts: readonly HeadPart[]): SenderLine | undefined {
  for (const part of parts) {
    const name = senderIn(part, parts);
    if (name) return { name, addressee: below(part, parts) };
  }
  return undefined;
}

export function senderIn(part: HeadPart, parts: readonly HeadPart[]): HeadPart | undefined {
  const text = part.line.text.slice(part.start);
  const pieces = text.split(/\s+[·•●|]\s+|\s[–-]\s|,\s/).map((piece) => piece.trim());
  const [name = ''] = pieces;
  const town = pieces.findIndex(isTown);
  const isLabelled = /:\s*$/.test(part.line.text.slice(0, part.start));
  if (town < 2 || town > 4 || isLabelled || !/^\p{L}[^\d:]+$/u.test(name)) return undefined;
  // With commas only, the first piece may also be the name of a building.
  const isSender =
    /[·•●|]/.test(text) || hasLegalForm(name) || isPrintedElsewhere(name, part, parts);
  return isSender ? { ...part, text: name, end: part.start + name.length } : undefined;
}

function isPrintedElsewhere(name: string, own: HeadPart, parts: readonly HeadPart[]): boolean {
  return parts.some(({ line, text }) => line !== own.line && fold(text).startsWith(fold(name)));
}

const reach = 5;

function below(sender: HeadPart, parts: readonly HeadPart[]): HeadPart | undefined {
  return partsBelow(nextParts(parts, sender, reach), sender).find(
    ({ text }) =>
      (!isNotice(text) || hasLegalForm(text)) && !isAttention(text) && !says(text, 'purchaseOrder'),
  );
}
