import type { FieldKind } from '../../domain/schema/field.ts';
import type { EmbeddedFile } from '../../domain/transcription.ts';
import { fold } from '../../lib/fold.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import { TextSearch } from '../../lib/text-search.ts';
import type { ValueLocation } from './value-location.ts';

const cent = 0.005;

/** Locates a value in the files embedded in a document. */
export function locateEmbedded(
  value: unknown,
  kind: FieldKind,
  files: readonly EmbeddedFile[],
): ValueLocation | undefined {
  for (const file of files) {
    const found = statedIn(file, value, kind) ?? statedInPieces(file, value, kind);
    if (found !== undefined) return { evidence: { text: found, source: file.name }, confidence: 1 };
  }
  return undefined;
}

function statedIn(file: EmbeddedFile, value: unknown, kind: FieldKind): string | undefined {
  const { byFold, byCents, byDate } = statements(file);
  if (kind === 'amount' || kind === 'number') {
    const cents = toCents(Number(value));
    return [cents - 1, cents, cents + 1]
      .flatMap((key) => byCents.get(key) ?? [])
      .filter((number) => Math.abs(number.size - Math.abs(Number(value))) < cent)
      .sort((a, b) => a.index - b.index)[0]?.text;
  }
  if (kind === 'date') return byDate.get(String(value).replace(/-/g, ''));
  return byFold.get(fold(String(value)));
}

/** An address is one value in the schema but several elements in the XML. */
function statedInPieces(file: EmbeddedFile, value: unknown, kind: FieldKind): string | undefined {
  if (kind !== 'text') return undefined;
  const { folded } = statements(file);
  const pieces = String(value).split(/[,\n]/).map(fold);
  return folded.text !== '' && pieces.every((piece) => folded.includes(piece))
    ? String(value)
    : undefined;
}

interface StatedNumber {
  text: string;
  size: number;
  index: number;
}

interface Statements {
  /** All texts, one per line. */
  folded: TextSearch;
  byFold: ReadonlyMap<string, string>;
  /**
   * Allowances are stated as positive amounts but extracted as negative ones, so signs are ignored.
   */
  byCents: ReadonlyMap<number, StatedNumber[]>;
  /** By the digits of the day, which a time may follow. */
  byDate: ReadonlyMap<string, string>;
}

/** The texts between the tags, each at its first place, because every cell of a table is sought. */
const statements = memoizeBy((file: EmbeddedFile): Statements => {
  const byFold = new Map<string, string>();
  const byCents = new Map<number, StatedNumber[]>();
  const byDate = new Map<string, string>();
  for (const [index, text] of textsIn(file).entries()) {
    const [folded, date] = [fold(text), text.replace(/-/g, '').slice(0, 8)];
    if (!byFold.has(folded)) byFold.set(folded, text);
    if (!byDate.has(date)) byDate.set(date, text);
    if (/^[-+]?[\d.]+$/.test(text)) addNumber(byCents, text, index);
  }
  return { folded: new TextSearch([...byFold.keys()].join('\n')), byFold, byCents, byDate };
});

/** More than are printed within one cent of each other, unless a document is crafted. */
const numbersPerCent = 16;

function addNumber(byCents: Map<number, StatedNumber[]>, text: string, index: number): void {
  const size = Math.abs(Number(text));
  const known = byCents.get(toCents(size));
  if (!known) byCents.set(toCents(size), [{ text, size, index }]);
  else if (known.length < numbersPerCent && known.every((other) => other.size !== size))
    known.push({ text, size, index });
}

function toCents(value: number): number {
  return Math.round(Math.abs(value) * 100);
}

function textsIn(file: EmbeddedFile): string[] {
  return file.text
    .split(/<[^<>]*>/)
    .map((text) => text.replace(/&(?:amp|lt|gt|quot|apos);/g, ' ').trim())
    .filter((text) => text !== '');
}
