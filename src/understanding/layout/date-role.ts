import { isDiscounted } from './discounted.ts';
import { type Label, phrasesFor } from './labels.ts';
import type { Span } from './line.ts';
import { findPhrase } from './phrase.ts';

/**
 * The role of a date by its label. `issued`: the label names the date of issue. `dated`: it just
 * says "date".
 */
export type DateRole = 'due' | 'other' | 'issued' | 'dated';

const roles: readonly { role: DateRole; label: Label }[] = [
  { role: 'due', label: 'dueDate' },
  { role: 'other', label: 'otherDate' },
  { role: 'issued', label: 'issueDate' },
  { role: 'dated', label: 'date' },
];

/** The label of a date is the cell next to it, or else the rest of the line. */
export function dateRoleBeside(before: string): DateRole | undefined {
  if (numberMark.test(before)) return 'other';
  const nearest = before
    .split(/\s{2,}/)
    .filter((cell) => /\p{L}{2}/u.test(cell))
    .at(-1);
  if (placeOfIssue.test(nearest ?? '')) return 'issued';
  return (
    findDateRole(nearest ?? '') ??
    findDateRole(before) ??
    (followsNumber(before) ? 'issued' : undefined)
  );
}

/** Letters name the place before the date: "Leipzig, den", "Paris, le". */
const placeOfIssue = /^\p{Lu}[\p{L}.-]+(?: \p{L}[\p{L}.-]+){0,3}, ?(?:den|le|the|il|el|a|d\.)\s*$/u;

/** "Payable net by": a word for paying, and "by" right before the date. */
function isDeadline(before: string): boolean {
  return findPhrase(before, phrasesFor('payment')) !== undefined && endsWith(before, 'until');
}

function endsWith(text: string, label: Label): boolean {
  const tail = text.trimEnd();
  return [1, 2, 3, 4].some((words) => {
    const [last = ''] = tail.match(new RegExp(`(?:\\S+\\s+){${words - 1}}\\S+$`)) ?? [];
    const span = findPhrase(last, phrasesFor(label));
    return span?.start === 0 && !/[\p{L}\d]/u.test(last.slice(span.end));
  });
}

/**
 * Words for other dates take precedence ("date of the related invoice"), unless they are part of
 * the label for the date of issue.
 */
export function findDateRole(text: string): DateRole | undefined {
  if (isDeadline(text)) return isDiscounted(text) ? 'other' : 'due';
  const issued = findPhrase(text, phrasesFor('issueDate'));
  return roles.find(({ label, role }) => {
    const span = findPhrase(text, phrasesFor(label));
    return span && (role === 'issued' || !issued || !lies(span, issued));
  })?.role;
}

function lies({ start, end }: Span, within: Span): boolean {
  return start >= within.start && end <= within.end;
}

/** The following text is a number that looks like a date: "faktura nr 7/05/2026". */
const numberMark = /(?<!\p{L})(?:n[ro]|nro|n[°º]|núm|number|numer|nummer|č|číslo)[.:\s]*$/iu;

/** "Invoice 4711 of 5 March": a date that follows the document number. */
function followsNumber(before: string): boolean {
  const dated = findLast(before);
  return (
    dated !== undefined &&
    /\d\W*$/.test(dated) &&
    findPhrase(dated, phrasesFor('invoiceNumber')) !== undefined
  );
}

/** The text before a final word such as "of". */
function findLast(before: string): string | undefined {
  const text = before.trimEnd();
  for (const length of [1, 2, 3]) {
    const [tail = ''] = text.match(new RegExp(`(?:\\S+\\s+){${length - 1}}\\S+$`)) ?? [];
    const span = tail === '' ? undefined : findPhrase(tail, phrasesFor('dated'));
    if (span?.start === 0 && span.end === tail.length)
      return text.slice(0, text.length - tail.length);
  }
  return undefined;
}
