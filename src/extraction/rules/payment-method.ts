import { phrasesFor } from '../layout/labels.ts';
import { evidenceOf } from '../layout/line.ts';
import { findPhrase } from '../layout/phrase.ts';
import type { Reading } from '../layout/reading.ts';
import type { Found } from './found.ts';

/** The word beside the amount that was paid. */
export function findPaymentMethod({ amounts }: Reading): Found | undefined {
  for (const { role, line } of amounts) {
    const span = role === 'paid' ? findPhrase(line.text, phrasesFor('paid')) : undefined;
    if (span)
      return {
        value: line.text.slice(span.start, span.end),
        evidence: evidenceOf(line, span),
        score: 0.7,
      };
  }
  return undefined;
}
