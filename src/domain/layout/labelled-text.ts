import { cellsOf, type Line, type Span, sharesColumn } from './line.ts';
import { findPhrase, type Phrases } from './phrase.ts';
import type { Reading } from './reading.ts';

export interface LabelledText extends Span {
  line: Line;
  text: string;
  /** The label as printed. */
  label: string;
  /** Stands under its label, not beside it. */
  below: boolean;
}

/** What stands to the right of a label, and what stands below it. Where the `hidden` stand no label is looked for. */
export function textsBy({ lines }: Reading, phrases: Phrases, hidden?: Phrases): LabelledText[] {
  return lines.flatMap((line, i) => {
    const span = findPhrase(hidden ? without(line.text, hidden) : line.text, phrases);
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

/** Blanked out, so that all else stays where it is. */
function without(text: string, hidden: Phrases): string {
  let rest = text;
  for (let span = findPhrase(rest, hidden); span; span = findPhrase(rest, hidden)) {
    rest = rest.slice(0, span.start) + ' '.repeat(span.end - span.start) + rest.slice(span.end);
  }
  return rest;
}
