import type { LayoutReading } from '../layout/layout-reading.ts';
import { averageConfidence, toEvidence } from '../layout/line.ts';
import { findPaymentTerm } from '../layout/payment-terms.ts';
import type { ValueLocation } from './value-location.ts';

/** A document may print a payment term in days instead of a due date. */
export function locateTerm(name: string, value: unknown, reading: LayoutReading): ValueLocation[] {
  const term = name === 'due_date' ? findPaymentTerm(reading) : undefined;
  if (term?.value !== value || !term) return [];
  return [
    { evidence: toEvidence(term.line, term), confidence: averageConfidence(term.line, term) },
  ];
}
