import type { LayoutReading } from '../layout/layout-reading.ts';
import { toEvidence } from '../layout/line.ts';
import type { Found } from './found.ts';

export function findCurrency({ currency }: LayoutReading): Found | undefined {
  return (
    currency && {
      value: currency.code,
      evidence: toEvidence(currency.line, currency.span),
      score: 0.9,
    }
  );
}
