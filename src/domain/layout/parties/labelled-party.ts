import { phrasesFor } from '../labels.ts';
import { findPhrase } from '../phrase.ts';
import type { Reading } from '../reading.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, headOf } from './head.ts';
import { inscriptionOf, isAttention, isLabelled, isNotice } from './notice.ts';

const searched = 60;
const reach = 4;

type Party = 'supplier' | 'buyer';

/** The name below a label that is nothing but "seller" or "buyer", with or without a label of its own. */
export function labelledParty(reading: Reading, party: Party): HeadPart | undefined {
  const head = headOf(reading, searched);
  const label = head.find(({ text }) => isPartyLabel(text, party));
  if (!label) return undefined;
  const below = head.filter(
    ({ row, box }) => row > label.row && row <= label.row + reach && startsWith(box, label.box),
  );
  return below.map((part) => nameIn(part, head)).find((part) => part !== undefined);
}

/** "From" and "to" are no labels by themselves: much is said to somebody. */
function isPartyLabel(text: string, party: Party): boolean {
  return text.length > 5 && inscriptionOf(text) === party && !isAttention(text);
}

type Box = HeadPart['box'];

/** A block under its label begins where the label does. */
function startsWith(box: Box, label: Box): boolean {
  return !box || !label || Math.abs(box[0] - label[0]) < 2 * (label[3] - label[1]);
}

/** A part that is a name, or the name behind the label "name". */
function nameIn(part: HeadPart, head: readonly HeadPart[]): HeadPart | undefined {
  const label = findPhrase(part.text, phrasesFor('name'));
  if (label?.start === 0) {
    const rest = part.text.slice(label.end).replace(/^[\s:]+/, '');
    if (rest !== '') return { ...part, start: part.end - rest.length, text: rest };
    return head.find(({ row, start }) => row === part.row && start > part.end);
  }
  return isLabelled(part) || (isNotice(part.text) && !hasLegalForm(part.text)) || !/\p{L}{3}/u.test(part.text)
    ? undefined
    : part;
}
