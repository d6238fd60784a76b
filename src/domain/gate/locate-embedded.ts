import type { FieldKind } from '../schema.ts';
import type { EmbeddedFile } from '../transcription.ts';
import { fold } from '../values/fold.ts';
import type { Place } from './place.ts';

const cent = 0.005;

/** Where a value stands in the data a document carries inside itself. */
export function locateEmbedded(value: unknown, kind: FieldKind, files: readonly EmbeddedFile[]): Place[] {
  return files.flatMap((file) => {
    const found = textsOf(file).find((text) => states(text, value, kind));
    return found === undefined ? [] : [{ evidence: { text: found, source: file.name }, confidence: 1 }];
  });
}

function states(text: string, value: unknown, kind: FieldKind): boolean {
  if (kind === 'amount') return /^[-+]?[\d.]+$/.test(text) && Math.abs(Number(text) - Number(value)) < cent;
  if (kind === 'date') return text.replace(/-/g, '').startsWith(String(value).replace(/-/g, ''));
  return fold(text) === fold(String(value));
}

const kept = new WeakMap<EmbeddedFile, string[]>();

/** The texts between the tags. */
function textsOf(file: EmbeddedFile): string[] {
  const known = kept.get(file);
  if (known) return known;
  const texts = file.text
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&(?:amp|lt|gt|quot|apos);/g, ' ').trim())
    .filter((text) => text !== '');
  kept.set(file, texts);
  return texts;
}
