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
  return ids.filter((id) => {
    const part = partOf(id, head);
    return !part || !isOfBuyer(part, head);
  });
}

/** The part that contains the ID, or its label. */
function partOf({ line, start }: PrintedId, head: readonly HeadPart[]): HeadPart | undefined {
  return head.findLast((part) => part.line === line && part.start <= start);
}

function mostPrinted(ids: readonly PrintedId[]): PrintedId | undefined {
  const times = (value: string) => ids.filter((id) => id.value === value).length;
  return ids.toSorted((a, b) => times(b.value) - times(a.value))[0];
}

function found({ value, line, start, end }: PrintedId, score: number): Found {
  return { value, evidence: toEvidence(line, { start, end }), score };
}
