import { lazily } from '../../lib/lazily.ts';
import { firstWordsOf, type Label, phrasesFor } from './labels.ts';
import { findPhrase } from './phrase.ts';

/** The role of an amount according to the words before it. */
export type AmountRole =
  | 'payable'
  | 'total'
  | 'subtotal'
  | 'tax'
  | 'rounding'
  | 'discount'
  | 'service'
  | 'paid'
  | 'prepaid'
  | 'change'
  | 'quantity';

interface Reading {
  role: AmountRole;
  has: readonly Label[];
  hasNot?: readonly Label[];
}

/** First match wins: "total item discount" is a discount, not a total. */
const readings: readonly Reading[] = [
  { role: 'rounding', has: ['rounding'], hasNot: ['total', 'payable', 'paid'] },
  { role: 'discount', has: ['discount'], hasNot: ['payable'] },
  { role: 'change', has: ['change'] },
  { role: 'prepaid', has: ['prepaid'], hasNot: ['total', 'payable'] },
  { role: 'quantity', has: ['quantity'], hasNot: ['inclusive', 'payable', 'paid', 'exclusive'] },
  { role: 'subtotal', has: ['exclusive', 'total'], hasNot: ['inclusive'] },
  { role: 'total', has: ['inclusive', 'subtotal'] },
  { role: 'subtotal', has: ['subtotal'], hasNot: ['inclusive', 'payable'] },
  { role: 'subtotal', has: ['exclusive', 'tax'], hasNot: ['inclusive'] },
  { role: 'service', has: ['service'], hasNot: ['total'] },
  { role: 'tax', has: ['tax'], hasNot: ['inclusive', 'sales'] },
  { role: 'payable', has: ['payable'] },
  { role: 'payable', has: ['rounding', 'total'] },
  { role: 'total', has: ['inclusive', 'total'] },
  { role: 'tax', has: ['inclusive', 'tax'] },
  { role: 'paid', has: ['paid'], hasNot: ['total'] },
  { role: 'total', has: ['total'] },
  { role: 'paid', has: ['paid'] },
];

const firstWords = lazily(() => firstWordsOf([...new Set(readings.flatMap(({ has }) => has))]));

export function findAmountRole(label: string): AmountRole | undefined {
  if (!findPhrase(label, firstWords())) return undefined;
  const seen = new Map<Label, boolean>();
  const has = (name: Label): boolean => {
    const known = seen.get(name) ?? findPhrase(label, phrasesFor(name)) !== undefined;
    seen.set(name, known);
    return known;
  };
  return readings.find((reading) => reading.has.every(has) && !reading.hasNot?.some(has))?.role;
}
