import { type Label, phrasesFor } from '../../../domain/layout/labels.ts';
import { cellsOf, type Line, type Span, sharesColumn } from '../../../domain/layout/line.ts';
import { findPhrase } from '../../../domain/layout/phrase.ts';
import type { Reading } from '../../../domain/layout/reading.ts';

interface LabelledText extends Span {
  line: Line;
  text: string;
  /** The label as printed. */
  label: string;
  /** Stands under its label, not beside it. */
  below: boolean;
}

/** What stands to the right of a label, and what stands below it. */
export function textsBy({ lines }: Reading, label: Label): LabelledText[] {
  const phrases = phrasesFor(label);
  return lines.flatMap((line, i) => {
    const span = findPhrase(line.text, phrases);
    if (!span) return [];
    const printed = line.text.slice(span.start, span.end);
    const right = {
      line,
      start: span.end,
      end: line.text.length,
      text: line.text.slice(span.end),
      label: printed,
      below: false,
    };
    const below = lines[i + 1];
    const under = below && below.page === line.page ? cellUnder(line, span, below) : undefined;
    return under && below ? [right, { ...under, line: below, label: printed, below: true }] : [right];
  });
}

function cellUnder(line: Line, { start }: Span, below: Line): (Span & { text: string }) | undefined {
  const over = cellsOf(line).find((cell) => cell.start <= start && cell.end > start);
  const cells = cellsOf(below);
  return (over && cells.find((cell) => sharesColumn(cell, over))) ?? (line.box ? undefined : cells[0]);
}
