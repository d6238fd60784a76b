import { evidenceOf } from '../layout/line.ts';
import type { Reading } from '../layout/reading.ts';
import type { Found } from './found.ts';

export function findCurrency({ currency }: Reading): Found | undefined {
  return (
    currency && {
      value: currency.code,
      evidence: evidenceOf(currency.line, currency.span),
      score: 0.9,
    }
  );
}
