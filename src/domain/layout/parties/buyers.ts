import { fold } from '../../values/fold.ts';
import { phrasesFor } from '../labels.ts';
import { findPhrase } from '../phrase.ts';
import type { Reading } from '../reading.ts';
import { hasLegalForm } from './company-name.ts';
import { type HeadPart, partsBelow } from './head.ts';
import { labelledParty } from './labelled-party.ts';
import { inscriptionOf, isAttention, isBuyerLabel, isLabelled, isNotice } from './notice.ts';
import { nameOf, type PartyCandidate, ranked } from './party.ts';
import { type Scene, sceneOf } from './scene.ts';
import { rankSuppliers } from './suppliers.ts';

const weights = { labelled: 1.2, beside: 1.1, addressed: 1, address: 0.6, reachable: -0.3, delivery: 0.1 } as const;

/** Who the buyer may be, best first: by label, below the line of the sender, or as the other address on the page. */
export function rankBuyers(reading: Reading): PartyCandidate[] {
  const scene = sceneOf(reading);
  const [seller] = rankSuppliers(reading);
  const labelled = labelledParty(reading, 'buyer');
  const names: [HeadPart | undefined, number][] = [
    [labelled, weights.labelled],
    ...besideLabels(scene).map((part): [HeadPart, number] => [part, weights.beside]),
    [scene.sender?.addressee, weights.addressed],
    ...scene.blocks.map((block): [HeadPart | undefined, number] => [block.names[0], blockWeight(block)]),
  ];
  return ranked(
    names.flatMap(([part, score]) => {
      const value = part ? nameOf([part]) : '';
      return part && isName(value) && fold(value) !== fold(seller?.value ?? '')
        ? [{ value, parts: [part], score }]
        : [];
    }),
  );
}

function blockWeight({ owner, reachable }: Scene['blocks'][number]): number {
  if (owner === 'supplier') return Number.NEGATIVE_INFINITY;
  if (owner === 'buyer') return weights.labelled;
  return owner === 'delivery' ? weights.delivery : weights.address + (reachable ? weights.reachable : 0);
}

/** To the right of its label, or below it. */
function besideLabels({ parts }: Scene): HeadPart[] {
  return parts.flatMap((part) => {
    if (!isBuyerLabel(part.text)) return [];
    const label = findPhrase(part.text, phrasesFor('buyer'));
    const rest = part.text.slice(label?.end).replace(/^[\s:.-]+/, '');
    // In "Buyer contact name" the label goes on.
    if (/^\p{Ll}/u.test(rest) && !part.text.includes(':')) return [];
    if (/^\p{L}.*\p{L}{2}/u.test(rest)) return [{ ...part, start: part.end - rest.length, text: rest }];
    return partsBelow(parts, part)
      .filter((below) => !isLabelled(below))
      .slice(0, 1);
  });
}

function isName(text: string): boolean {
  if (!/\p{L}{2}/u.test(text) || isAttention(text) || inscriptionOf(text)) return false;
  return !isNotice(text) || hasLegalForm(text);
}
