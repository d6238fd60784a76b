import type { Field } from '../../domain/schema/field.ts';
import { fold } from '../../lib/fold.ts';
import { type LabelledText, textsBy } from './labelled-text.ts';
import { toPhrases } from './labels.ts';
import type { LayoutReading } from './layout-reading.ts';
import type { Line, Span } from './line.ts';
import { findPhrase, type Phrases } from './phrase.ts';
import { type PrintedValue, printedValueIn } from './printed-value.ts';

export interface LabelledValue extends Span {
  value: string | number;
  line: Line;
  /** How likely the label refers to this value, from 0 to 1. */
  score: number;
}

type Fields = Readonly<Record<string, Field>>;

/** The values printed at the labels of a field, most likely first. */
export function findLabelledValues(
  name: string,
  fields: Fields,
  reading: LayoutReading,
): LabelledValue[] {
  const field = fields[name];
  if (!field?.labels) return [];
  const { labels } = field;
  const others = Object.entries(fields).flatMap(([other, each]) =>
    other === name ? [] : (each.labels ?? []),
  );
  // "Date" must not match inside "Start date".
  const longer = others.filter((other) =>
    labels.some((own) => fold(other) !== fold(own) && fold(other).includes(fold(own))),
  );
  const next = toPhrases(others, labels);
  const places = textsBy(reading, toPhrases(labels, others), toPhrases(longer, labels)).map(
    (place) => endedBy(next, place),
  );
  const values = places.map((place) => valueAt(place, field, reading));
  // A value below a label counts only if there is none beside it.
  return values
    .flatMap((value, i) => (value && !(places[i]?.below && values[i - 1]) ? [value] : []))
    .sort((a, b) => b.score - a.score);
}

/** The text of a label ends where the label of another field begins. */
function endedBy(labels: Phrases, place: LabelledText): LabelledText {
  let { text } = place;
  for (let at = findPhrase(text, labels); at; at = findPhrase(text, labels)) {
    const [before, behind] = [text.slice(0, at.start), text.slice(at.end)];
    const isLabel = /^\W*$|\s{2}$/u.test(before) || /^\s*[:#]/.test(behind);
    if (!isLabel) break;
    text = before;
  }
  return { ...place, text, end: place.start + text.length };
}

function valueAt(
  place: LabelledText,
  field: Field,
  reading: LayoutReading,
): LabelledValue | undefined {
  const read = printedValueIn(place.text, field, reading);
  const score = read && scoreOf(place, read, field);
  if (!read || !score) return undefined;
  const { line, start } = place;
  return {
    value: read.value,
    line,
    start: start + read.start,
    end: start + read.end,
    score: read.unsure ? 0.3 : score,
  };
}

const farthest = 40;

function scoreOf(
  { text, below, line, start, label }: LabelledText,
  read: PrintedValue,
  field: Field,
): number | undefined {
  if (below) return 0.75;
  const between = text.slice(0, read.start);
  if (/[:#=]|\s{2}/.test(between)) return read.start <= farthest ? 0.85 : undefined;
  const isFormless = field.kind === 'text' && field.pattern === undefined;
  // In running text, any word can follow a label.
  if (isFormless)
    return /^\s/.test(between) && beginsCell(line.text.slice(0, start - label.length))
      ? 0.6
      : undefined;
  if (!/[\p{L}\p{N}]/u.test(between)) return 0.85;
  return read.start <= farthest ? 0.5 : undefined;
}

function beginsCell(before: string): boolean {
  return /(?:^|\s{2})[^\p{L}\p{N}]*$/u.test(before);
}
