import { phrasesFor } from '../../../domain/layout/labels.ts';
import { evidenceOf } from '../../../domain/layout/line.ts';
import { findPhrase } from '../../../domain/layout/phrase.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { fold } from '../../../domain/values/fold.ts';
import { addressIn } from './address.ts';
import { trimCompanyName } from './company-name.ts';
import type { Found } from './found.ts';
import { type HeadPart, headOf, isNotice, partsBelow, says } from './head.ts';
import { labelledParty } from './labelled-party.ts';
import { findSupplierName } from './supplier.ts';

export function findBuyerName(reading: Reading): Found | undefined {
  const name = buyerPart(reading);
  return name && { value: trimCompanyName(name.text), evidence: evidenceOf(name.line, name), score: 0.7 };
}

export function findBuyerAddress(reading: Reading): Found | undefined {
  const name = buyerPart(reading);
  return name && addressIn(partsBelow(headOf(reading), name));
}

function buyerPart(reading: Reading): HeadPart | undefined {
  const head = headOf(reading);
  return (
    labelledBuyer(head) ??
    labelledParty(reading, 'buyer') ??
    belowSender(head, String(findSupplierName(reading)?.value ?? ''))
  );
}

/** To the right of its label, or below it. */
function labelledBuyer(head: readonly HeadPart[]): HeadPart | undefined {
  for (const part of head) {
    const label = findPhrase(part.text, phrasesFor('buyer'));
    if (label?.start !== 0) continue;
    const rest = part.text.slice(label.end).replace(/^[\s:.-]+/, '');
    // In "Buyer contact name" the label goes on.
    if (/^\p{Ll}/u.test(rest) && !part.text.includes(':')) continue;
    if (/^\p{L}.*\p{L}{2}/u.test(rest)) return { ...part, start: part.end - rest.length, text: rest };
    const [below] = partsBelow(head, part);
    if (below && !isNotice(below.text)) return below;
  }
  return undefined;
}

/** Letters for window envelopes: the sender in one small line, the addressee below it. */
function belowSender(head: readonly HeadPart[], supplier: string): HeadPart | undefined {
  const sender = head.find(({ line: { text } }) => isSenderLine(text, supplier));
  return (
    sender &&
    partsBelow(head, sender).find(
      ({ row, text }) => row > sender.row && !isNotice(text) && !says(text, 'purchaseOrder'),
    )
  );
}

function isSenderLine(text: string, supplier: string): boolean {
  const first = fold(supplier.split(/\s/)[0] ?? '');
  const parted = text.split(/\s[·•●|]\s|,\s/).length >= 3;
  return first !== '' && parted && fold(text).startsWith(first) && /(?<!\d)\d{4,5}(?!\d)/.test(text);
}
