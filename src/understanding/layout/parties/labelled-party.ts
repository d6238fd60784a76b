import { phrasesFor } from '../labels.ts';
import { findPhrase } from '../phrase.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, nextParts } from './head.ts';
import { isAttention, isLabelled, isNotice, parseInscription } from './notice.ts';

const searched = 60;
const reach = 4;

type Party = 'supplier' | 'buyer';

/**
 * The name below or beside a label such as "seller" or "buyer". The name may have a label of its
 * own.
 */
export function labelledParty(parts: readonly HeadPart[], party: Party): HeadPart | undefined {
  const head = parts.filter(({ row }) => row < searched);
  const label = head.find(({ text }) => isPartyLabel(text, party));
  if (!label) return undefined;
  const below = nextParts(head, label, reach).filter((part) => beginsUnder(part, label));
  return (
    below.map((part) => nameIn(part, head)).find((part) => part !== undefined) ??
    beside(label, head)
  );
}

function beside(label: HeadPart, head: readonly HeadPart[]): HeadPart | undefined {
  const next = label.text.includes(':')
    ? head.find(({ row, start }) => row === label.row && start > label.end)
    : undefined;
  return next && !parseInscription(next.text) ? nameIn(next, head) : undefined;
}

/** "From" and "to" alone are not party labels: they are too common. */
function isPartyLabel(text: string, party: Party): boolean {
  return text.length > 5 && parseInscription(text) === party && !isAttention(text);
}

const charactersOff = 2;

/** A block below a label is aligned with its left edge. */
function beginsUnder({ box, start }: HeadPart, label: HeadPart): boolean {
  if (!box || !label.box) return Math.abs(start - label.start) <= charactersOff;
  return Math.abs(box[0] - label.box[0]) < 2 * (label.box[3] - label.box[1]);
}

/** The part itself if it is a name, or the text after the label "name". */
function nameIn(part: HeadPart, head: readonly HeadPart[]): HeadPart | undefined {
  const label = findPhrase(part.text, phrasesFor('name'));
  if (label?.start === 0) {
    const rest = part.text.slice(label.end).replace(/^[\s:]+/, '');
    if (rest !== '') return { ...part, start: part.end - rest.length, text: rest };
    return head.find(({ row, start }) => row === part.row && start > part.end);
  }
  return isLabelled(part) ||
    (isNotice(part.text) && !hasLegalForm(part.text)) ||
    !/\p{L}{3}/u.test(part.text)
    ? undefined
    : part;
}
