import type { DocumentSchema } from '../domain/schema/index.ts';
import { type BuiltInSign, builtInSigns, type Recognition } from '../domain/schema/recognition.ts';
import type { Transcription } from '../domain/transcription.ts';
import { toPhrases } from './layout/labels.ts';
import { readLayout } from './layout/layout-reading.ts';
import { findPhrase } from './layout/phrase.ts';
import { beginningOf, type Seen, typeSignals } from './type-signals.ts';

/**
 * Recognises the type of a document. If several types match, the one with the most matching words
 * wins, because built-in signs are less specific than words. Ties go to the first type.
 */
export function recognise<Type extends Pick<DocumentSchema, 'recognise'>>(
  transcription: Transcription,
  types: readonly Type[],
): Type | undefined {
  const look = createLookup({ transcription, reading: readLayout(transcription) });
  let best: { type: Type; words: number } | undefined;
  for (const type of types) {
    for (const way of type.recognise ?? []) {
      // Built-in signs are expensive to look for in a long document.
      if (best && wordsIn(way) <= best.words) continue;
      const words = countWords(way, look);
      if (words !== undefined && words > (best?.words ?? -1)) best = { type, words };
    }
  }
  return best?.type;
}

/** The most words that can match. */
function wordsIn({ all = [], any = [] }: Recognition): number {
  return [...all, ...any].filter((sign) => !isBuiltIn(sign)).length;
}

interface SignLookup {
  shows(sign: string): boolean;
}

/** Caches each sign, because many types ask for the same ones. */
function createLookup(seen: Seen): SignLookup {
  const { lines } = beginningOf(seen.reading);
  const known = new Map<string, boolean>();
  const look = (sign: string) => {
    if (isBuiltIn(sign)) return typeSignals[sign](seen);
    const phrases = toPhrases([sign]);
    return lines.some(({ text }) => findPhrase(text, phrases));
  };
  return {
    shows(sign) {
      const shown = known.get(sign) ?? look(sign);
      known.set(sign, shown);
      return shown;
    },
  };
}

/** The number of matching words. Undefined if the document is not of this type. */
function countWords(
  { all = [], any = [], none = [] }: Recognition,
  { shows }: SignLookup,
): number | undefined {
  if (!cheapFirst(all).every(shows) || cheapFirst(none).some(shows)) return undefined;
  const some = any.filter(shows);
  if (any.length > 0 && some.length === 0) return undefined;
  return [...all, ...some].filter((sign) => !isBuiltIn(sign)).length;
}

/** Words are looked for on the first pages, most built-in signs in the whole document. */
function cheapFirst(signs: readonly string[]): readonly string[] {
  const costs: readonly string[] = [
    '@e-invoice',
    '@invoice',
    '@money',
    '@till',
  ] satisfies BuiltInSign[];
  return signs.toSorted((a, b) => costs.indexOf(a) - costs.indexOf(b));
}

function isBuiltIn(sign: string): sign is BuiltInSign {
  return builtInSigns.some((known) => known === sign);
}
