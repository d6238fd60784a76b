import { phrasesFor } from '../../../domain/layout/labels.ts';
import { evidenceOf } from '../../../domain/layout/line.ts';
import { findPhrase } from '../../../domain/layout/phrase.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { addressIn } from './address.ts';
import { trimCompanyName } from './company-name.ts';
import type { Found } from './found.ts';
import { type HeadPart, headOf, isNotice, partsBelow } from './head.ts';

export function findBuyerName(reading: Reading): Found | undefined {
  const name = buyerPart(reading);
  return name && { value: trimCompanyName(name.text), evidence: evidenceOf(name.line, name), score: 0.7 };
}

export function findBuyerAddress(reading: Reading): Found | undefined {
  const name = buyerPart(reading);
  return name && addressIn(partsBelow(headOf(reading), name));
}

/** To the right of its label, or below it. */
function buyerPart(reading: Reading): HeadPart | undefined {
  const head = headOf(reading);
  for (const part of head) {
    const label = findPhrase(part.text, phrasesFor('buyer'));
    if (label?.start !== 0) continue;
    const rest = part.text.slice(label.end).replace(/^[\s:.-]+/, '');
    if (/\p{L}{3}/u.test(rest)) return { ...part, start: part.end - rest.length, text: rest };
    const [below] = partsBelow(head, part);
    if (below && !isNotice(below.text)) return below;
  }
  return undefined;
}
