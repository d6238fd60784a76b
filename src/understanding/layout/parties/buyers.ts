import { fold } from '../../../lib/fold.ts';
import { memoizeBy } from '../../../lib/memoize-by.ts';
import { phrasesFor } from '../labels.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { findPhrase } from '../phrase.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, nextParts, partsBelow } from './head.ts';
import { isAttention, isBuyerLabel, isLabelled, isNotice, parseInscription } from './notice.ts';
import { findAddress, type PageContext, readPageContext } from './page-context.ts';
import { joinName, type PartyCandidate, ranked } from './party.ts';
import { rankSuppliers } from './suppliers.ts';

/**
 * Candidates for the buyer, best first: by label, below the sender line, or as the other address on
 * the page.
 */
export const rankBuyers = memoizeBy((reading: LayoutReading): readonly PartyCandidate[] => {
  const context = readPageContext(reading);
  const seller = fold(rankSuppliers(reading)[0]?.value ?? '');
  const names = [
    { part: context.buyer, score: weights.labelled },
    ...context.parts.flatMap((part) => nameAt(part, context) ?? []),
    { part: context.sender?.addressee, score: weights.addressed },
    ...context.blocks.filter(({ owner }) => owner !== 'supplier').map(nameOver),
  ];
  return ranked(
    names.flatMap(({ part, score }) => {
      const value = part ? joinName([part]) : '';
      if (!part || !isName(value) || fold(value) === seller) return [];
      return [{ value, parts: [part], score, backing: score, address: findAddress(part, context) }];
    }),
  );
});

const reach = 4;

interface Name {
  part: HeadPart | undefined;
  score: number;
}

const weights = {
  labelled: 1.2,
  addressed: 1,
  below: 0.9,
  beside: 0.8,
  address: 0.6,
  reachable: 0.3,
  other: 0.1,
} as const;

function nameOver({ owner, reachable, names: [part] }: PageContext['blocks'][number]): Name {
  if (owner === 'buyer') return { part, score: weights.labelled };
  if (owner === 'other') return { part, score: weights.other };
  return { part, score: reachable ? weights.reachable : weights.address };
}

/** The name to the right of a label, or below it. */
function nameAt(part: HeadPart, { parts }: PageContext): Name | undefined {
  if (!isBuyerLabel(part.text)) return undefined;
  const label = findPhrase(part.text, phrasesFor('buyer'));
  const rest = part.text.slice(label?.end).replace(/^[\s:.-]+/, '');
  const isColon = part.text.includes(':');
  // In "Buyer contact name" the label continues.
  if (/^\p{Ll}/u.test(rest) && !isColon) return undefined;
  if (!/^\p{L}.*\p{L}{2}/u.test(rest))
    return { part: belowLabel(part, parts), score: weights.below };
  const named = { ...part, start: part.end - rest.length, text: rest };
  // Without a colon the label may be part of a name: "Client Services Ltd".
  return { part: named, score: isColon ? weights.labelled : weights.beside };
}

function belowLabel(label: HeadPart, parts: readonly HeadPart[]): HeadPart | undefined {
  return partsBelow(nextParts(parts, label, reach), label).find((below) => !isLabelled(below));
}

function isName(text: string): boolean {
  if (!/\p{L}{2}/u.test(text) || isAttention(text) || parseInscription(text)) return false;
  return !isNotice(text) || hasLegalForm(text);
}
