import { textsBy } from '../layout/labelled-text.ts';
import { phrasesFor } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { type Line, type Span, toEvidence } from '../layout/line.ts';
import { isOfBuyer } from '../layout/parties/buyer-block.ts';
import { findHead, type HeadPart } from '../layout/parties/head.ts';
import { findDates } from '../values/date.ts';
import { compactVatId, findVatIds } from '../values/vat-id.ts';
import type { Found } from './found.ts';

interface PrintedId extends Span {
  value: string;
  line: Line;
}

/** A seller prints its own ID most often, and never below the name of the customer. */
export function findSupplierVatId(reading: LayoutReading): Found | undefined {
  const known = reading.lines.flatMap((line) =>
    findVatIds(line.text).map((id) => ({ ...id, line })),
  );
  const own = mostPrinted(withoutBuyers(known, reading));
  if (own) return found(own, 0.9);
  const labelled =
    known.length > 0 ? undefined : mostPrinted(withoutBuyers(labelledIds(reading), reading));
  return labelled && found(labelled, 0.7);
}

const national = /(?<![\p{L}\d/])(?:[A-Z]?\d[\d\- /]{6,18}\d|\d{8}[A-Z])(?![\p{L}\d])/gu;

/** National numbers printed without the country prefix. */
function labelledIds(reading: LayoutReading): PrintedId[] {
  return textsBy(reading, phrasesFor('vatId')).flatMap(({ line, start, text, below }) => {
    const [id] = text.matchAll(national);
    if (!id || (below && id.index > 0) || findDates(id[0]).length > 0) return [];
    const span = { start: start + id.index, end: start + id.index + id[0].length };
    return [{ ...span, value: compactVatId(id[0]), line }];
  });
}

function withoutBuyers(ids: readonly PrintedId[], reading: LayoutReading): PrintedId[] {
  const head = findHead(reading, reading.lines.length);
  const byLine = new Map<Line, HeadPart[]>();
  for (const part of head) {
    const parts = byLine.get(part.line);
    if (parts) parts.push(part);
    else byLine.set(part.line, [part]);
  }
  return ids.filter(({ line, start }) => {
    // The part that contains the ID, or its label.
    const part = byLine.get(line)?.findLast((each) => each.start <= start);
    return !part || !isOfBuyer(part, head);
  });
}

function mostPrinted(ids: readonly PrintedId[]): PrintedId | undefined {
  const times = new Map<string, number>();
  for (const { value } of ids) times.set(value, (times.get(value) ?? 0) + 1);
  return ids.toSorted((a, b) => (times.get(b.value) ?? 0) - (times.get(a.value) ?? 0))[0];
}

function found({ value, line, start, end }: PrintedId, score: number): Found {
  return { value, evidence: toEvidence(line, { start, end }), score };
}
