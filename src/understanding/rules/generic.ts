import type { LayoutReading } from '../layout/layout-reading.ts';
import { type Line, toEvidence } from '../layout/line.ts';
import { hasLegalForm, trimCompanyName } from '../layout/parties/company-name.ts';
import { resolveDate } from '../values/date.ts';
import type { Found } from './found.ts';

const listedAtMost = 20;
const summaryAtMost = 300;

/** The line in the largest type on the first page, or the first line on pages without boxes. */
export function findTitle({ lines }: LayoutReading): Found | undefined {
  const candidates = lines
    .filter(({ page, text }) => page === 1 && /\p{L}{3}/u.test(text))
    .slice(0, 12);
  const [title] = candidates.toSorted((a, b) => heightOf(b) - heightOf(a));
  return title && { value: title.text.trim(), evidence: whole(title), score: 0.6 };
}

export function findDatesOfDocument({ dates, dateOrder }: LayoutReading): Found | undefined {
  const rows = dates.slice(0, listedAtMost).flatMap(({ match, line }) => {
    const date = resolveDate(match, dateOrder);
    const label = line.text
      .slice(0, match.start)
      .replace(/[\s:]+$/, '')
      .trim();
    return date ? [{ label: label === '' ? null : label, date }] : [];
  });
  const [first] = dates;
  return first && rows.length > 0
    ? { value: rows, evidence: whole(first.line), score: 0.6 }
    : undefined;
}

export function findParties({ lines }: LayoutReading): Found | undefined {
  const named = lines
    .filter(({ text }) => text.length < 80 && hasLegalForm(text))
    .slice(0, listedAtMost);
  const names = [...new Set(named.map(({ text }) => trimCompanyName(text)))];
  const [first] = named;
  return first && { value: names.map((name) => ({ name })), evidence: whole(first), score: 0.5 };
}

const reference =
  /(?<label>\p{L}[\p{L}\s./-]{1,40}?)\s*(?:(?:no|nr|n°|number|#)\.?\s*:?|:)\s*(?<number>[\p{L}\d/-]*\d[\p{L}\d/-]*)/giu;

export function findReferenceNumbers({ lines }: LayoutReading): Found | undefined {
  const found = lines.flatMap((line) =>
    [...line.text.matchAll(reference)].flatMap(({ groups = {} }) => {
      const { label = '', number = '' } = groups;
      return number.length >= 3 ? [{ line, row: { label: label.trim(), number } }] : [];
    }),
  );
  const [first] = found;
  return (
    first && {
      value: found.slice(0, listedAtMost).map(({ row }) => row),
      evidence: whole(first.line),
      score: 0.5,
    }
  );
}

/** Without a model there is no summarisation: the first lines of running text are used instead. */
export function findSummary({ lines }: LayoutReading): Found | undefined {
  const prose = lines.filter(({ text }) => text.split(/\s+/).length >= 6).slice(0, 4);
  const [first] = prose;
  const text = prose
    .map((line) => line.text.trim())
    .join(' ')
    .slice(0, summaryAtMost);
  return first && { value: text, evidence: whole(first), score: 0.4 };
}

function whole(line: Line) {
  return toEvidence(line, { start: 0, end: line.text.length });
}

function heightOf({ box }: Line): number {
  return box ? box[3] - box[1] : 0;
}
