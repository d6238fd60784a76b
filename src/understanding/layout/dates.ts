import {
  type DateMatch,
  type DateOrder,
  findBareDates,
  findDates,
  resolveDate,
} from '../values/date.ts';
import { type DateRole, dateRoleBeside, findDateRole } from './date-role.ts';
import { type Line, sharesColumn, splitCells } from './line.ts';

export interface LabelledDate {
  match: DateMatch;
  line: Line;
  role: DateRole | undefined;
  /** A time of day is printed next to it. */
  timed: boolean;
  /** Printed without separators between day, month and year. */
  bare: boolean;
}

/** If a document has no regular date, eight digits may be one. */
export function findLabelledDates(lines: readonly Line[]): LabelledDate[] {
  const proper = datesBy(findDates, lines, false);
  return proper.length > 0 ? proper : datesBy(findBareDates, lines, true);
}

function datesBy(
  find: (text: string) => DateMatch[],
  lines: readonly Line[],
  bare: boolean,
): LabelledDate[] {
  return lines.flatMap((line, i) => {
    const matches = find(line.text);
    return matches.map((match, n) => {
      const before = line.text.slice(matches[n - 1]?.end ?? 0, match.start);
      return {
        match,
        line,
        role:
          dateRoleBeside(before) ??
          (isBare(before) ? findDateRole(labelAbove(lines[i - 1], match, line)) : undefined),
        timed: /\d{1,2} ?[:.] ?\d{2}(?: ?[:.] ?\d{2})?\b|\b[AP]M\b/i.test(
          line.text.slice(match.end),
        ),
        bare,
      };
    });
  });
}

export interface DateCandidate extends LabelledDate {
  value: string;
  score: number;
}

const weights = { issued: 0.8, dated: 0.6, unlabelled: 0.3 } as const;

/** Candidates for the date of issue, best first. Excludes due dates and other labelled dates. */
export function rankDates(
  dates: readonly LabelledDate[],
  order: DateOrder | undefined,
): DateCandidate[] {
  const values = dates.map(({ match }) => resolveDate(match, order) ?? match.readings['day-first']);
  const times = new Map<string | undefined, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return dates
    .flatMap((date, i) => {
      const value = values[i] ?? date.match.readings['month-first'];
      if (!value || date.role === 'due' || date.role === 'other') return [];
      const again = Math.min((times.get(value) ?? 1) - 1, 2);
      const score =
        weights[date.role ?? 'unlabelled'] + (date.timed ? 0.15 : 0) + 0.05 * again - 0.001 * i;
      return { ...date, value, score };
    })
    .sort((a, b) => b.score - a.score);
}

function isBare(before: string): boolean {
  return !/\p{L}{2}/u.test(before);
}

/** The cell above the date. On pages without boxes, the line above if it is a single cell. */
function labelAbove(above: Line | undefined, { start, end }: DateMatch, line: Line): string {
  if (!above) return '';
  const place = splitCells(line).find((cell) => cell.start <= start && cell.end >= end);
  const labels = splitCells(above);
  const over = place && labels.find((cell) => sharesColumn(cell, place));
  const label = over ?? (line.box || labels.length > 1 ? undefined : labels[0]);
  return label && !/\d/.test(label.text) ? label.text : '';
}
