import type { FieldKind } from '../../domain/schema/field.ts';
import type { EmbeddedFile } from '../../domain/transcription.ts';
import { fold } from '../../lib/fold.ts';
import type { ValueLocation } from './value-location.ts';

const cent = 0.005;

/** Locates a value in the files embedded in a document. */
export function locateEmbedded(
  value: unknown,
  kind: FieldKind,
  files: readonly EmbeddedFile[],
): ValueLocation[] {
  return files.flatMap((file) => {
    const found = statedIn(file, value, kind) ?? statedInPieces(file, value, kind);
    return found === undefined
      ? []
      : [{ evidence: { text: found, source: file.name }, confidence: 1 }];
  });
}

function statedIn(file: EmbeddedFile, value: unknown, kind: FieldKind): string | undefined {
  return textsOf(file).find((text) => states(text, value, kind));
}

/** An address is one value in the schema but several elements in the XML. */
function statedInPieces(file: EmbeddedFile, value: unknown, kind: FieldKind): string | undefined {
  if (kind !== 'text') return undefined;
  const folded = textsOf(file).map(fold);
  const pieces = String(value).split(/[,\n]/).map(fold);
  return pieces.every((piece) => folded.some((text) => text.includes(piece)))
    ? String(value)
    : undefined;
}

/**
 * Allowances are stated as positive amounts but extracted as negative ones, so signs are ignored.
 */
function states(text: string, value: unknown, kind: FieldKind): boolean {
  if (kind === 'amount' || kind === 'number')
    return (
      /^[-+]?[\d.]+$/.test(text) &&
      Math.abs(Math.abs(Number(text)) - Math.abs(Number(value))) < cent
    );
  if (kind === 'date') return text.replace(/-/g, '').startsWith(String(value).replace(/-/g, ''));
  return fold(text) === fold(String(value));
}

const textsByFile = new WeakMap<EmbeddedFile, string[]>();

/** The text content between the tags. */
function textsOf(file: EmbeddedFile): string[] {
  const known = textsByFile.get(file);
  if (known) return known;
  const texts = file.text
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&(?:amp|lt|gt|quot|apos);/g, ' ').trim())
    .filter((text) => text !== '');
  textsByFile.set(file, texts);
  return texts;
}
