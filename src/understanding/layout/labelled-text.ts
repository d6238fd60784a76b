import type { LayoutReading } from './layout-reading.ts';
import { type Line, type Span, sharesColumn, splitCells } from './line.ts';
import { findPhrases, type Phrases } from './phrase.ts';

export interface LabelledText extends Span {
  line: Line;
  text: string;
  /** The label as printed. */
  label: string;
  /** Printed below its label rather than beside it. */
  below: boolean;
}

/**
 * The texts to the right of and below each label. Text that matches `hidden` is not searched for
 * labels.
 */
export function textsBy(
  { lines }: LayoutReading,
  phrases: Phrases,
  hidden?: Phrases,
): LabelledText[] {
  return lines.flatMap((line, i) => {
    const text = hidden ? without(line.text, hidden) : line.text;
    return findPhrases(text, phrases).flatMap((span) => textsAt(span, line, lines[i + 1]));
  });
}

function textsAt(span: Span, line: Line, below: Line | undefined): LabelledText[] {
  const [mark = ''] = line.text.slice(span.end).match(/^ ?[#°º]/) ?? [];
  const label = line.text.slice(span.start, span.end) + mark;
  const rest = { start: span.end, end: line.text.length, text: line.text.slice(span.end) };
  const under = below && below.page === line.page ? cellUnder(line, span, below) : undefined;
  return [
    { ...rest, line, label, below: false },
    ...(under && below ? [{ ...under, line: below, label, below: true }] : []),
  ];
}

function cellUnder(
  line: Line,
  { start }: Span,
  below: Line,
): (Span & { text: string }) | undefined {
  const over = splitCells(line).find((cell) => cell.start <= start && cell.end > start);
  const cells = splitCells(below);
  return (
    (over && cells.find((cell) => sharesColumn(cell, over))) ?? (line.box ? undefined : cells[0])
  );
}

function without(text: string, hidden: Phrases): string {
  return findPhrases(text, hidden).reduce(blanked, text);
}

/** Replaces a span with spaces, so that other positions stay the same. */
function blanked(text: string, { start, end }: Span): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}
