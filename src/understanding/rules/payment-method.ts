import { phrasesFor } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { toEvidence } from '../layout/line.ts';
import { findPhrase } from '../layout/phrase.ts';
import type { Found } from './found.ts';

/** The word next to the amount paid. */
export function findPaymentMethod({ amounts }: LayoutReading): Found | undefined {
  for (const { role, line } of amounts) {
    const span = role === 'paid' ? findPhrase(line.text, phrasesFor('paid')) : undefined;
    if (span)
      return {
        value: line.text.slice(span.start, span.end),
        evidence: toEvidence(line, span),
        score: 0.7,
      };
  }
  return undefined;
}
