import { confidenceOf, evidenceOf } from '../layout/line.ts';
import { paymentTermOf } from '../layout/payment-terms.ts';
import type { Reading } from '../layout/reading.ts';
import type { Place } from './place.ts';

/** A document may give days and leave it to its reader to count them. */
export function locateTerm(name: string, value: unknown, reading: Reading): Place[] {
  const term = name === 'due_date' ? paymentTermOf(reading) : undefined;
  if (term?.value !== value || !term) return [];
  return [{ evidence: evidenceOf(term.line, term), confidence: confidenceOf(term.line, term) }];
}
