import { type LabelledDate, rankDates } from '../layout/dates.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { toEvidence } from '../layout/line.ts';
import { findPaymentTerm } from '../layout/payment-terms.ts';
import { isAmbiguous, resolveDate } from '../values/date.ts';
import type { Found } from './found.ts';

export function findInvoiceDate({ dates, dateOrder }: LayoutReading): Found | undefined {
  const [best] = rankDates(dates, dateOrder);
  if (!best) return undefined;
  const undecided = isAmbiguous(best.match) && !dateOrder;
  return found(best, best.value, undecided ? 0.3 : Math.min(1, best.score + 0.3));
}

export function findDueDate(reading: LayoutReading): Found | undefined {
  const due = reading.dates.find(({ role }) => role === 'due');
  const value = due && resolveDate(due.match, reading.dateOrder);
  if (due && value) return found(due, value, 0.8);
  const term = due ? undefined : findPaymentTerm(reading);
  return term && { value: term.value, evidence: toEvidence(term.line, term), score: 0.6 };
}

function found({ line, match }: LabelledDate, value: string, score: number): Found {
  return { value, evidence: toEvidence(line, match), score };
}
