import { type LabelledDate, rankDates } from '../../../domain/layout/dates.ts';
import { evidenceOf } from '../../../domain/layout/line.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { isAmbiguous, resolveDate } from '../../../domain/values/date.ts';
import type { Found } from './found.ts';

export function findInvoiceDate({ dates, dateOrder }: Reading): Found | undefined {
  const [best] = rankDates(dates, dateOrder);
  if (!best) return undefined;
  const undecided = isAmbiguous(best.match) && !dateOrder;
  return found(best, best.value, undecided ? 0.3 : Math.min(1, best.score + 0.3));
}

export function findDueDate({ dates, dateOrder }: Reading): Found | undefined {
  const due = dates.find(({ role }) => role === 'due');
  const value = due && resolveDate(due.match, dateOrder);
  return due && value ? found(due, value, 0.8) : undefined;
}

function found({ line, match }: LabelledDate, value: string, score: number): Found {
  return { value, evidence: evidenceOf(line, match), score };
}
