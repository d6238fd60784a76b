import type { DocumentSchema } from '../domain/schema/index.ts';
import { type BuiltInSign, builtInSigns, type Recognition } from '../domain/schema/recognition.ts';
import type { Transcription } from '../domain/transcription.ts';
import { toPhrases } from './layout/labels.ts';
import { readLayout } from './layout/layout-reading.ts';
import { findPhrase } from './layout/phrase.ts';
import { type Seen, typeSignals } from './type-signals.ts';

/** Documents name their type near the beginning. */
const searched = { pages: 2, lines: 200 };

/**
 * Recognises the type of a document. If several types match, the one with the most matching words
 * wins, because built-in signs are less specific than words. Ties go to the first type.
 */
export function recognise<Type extends Pick<DocumentSchema, 'recognise'>>(
  transcription: Transcription,
  types: readonly Type[],
): Type | undefined {
  const look = createLookup({ transcription, reading: readLayout(transcription) });
  const ranked = types.flatMap((type) => {
    const words = (type.recognise ?? []).flatMap((way) => countWords(way, look) ?? []);
    return words.length > 0 ? [{ type, words: Math.max(...words) }] : [];
  });
  return ranked.toSorted((a, b) => b.words - a.words)[0]?.type;
}

interface SignLookup {
  shows(sign: string): boolean;
}

/** Caches each sign, because many types ask for the same ones. */
function createLookup(seen: Seen): SignLookup {
  const lines = seen.reading.lines
    .filter(({ page }) => page <= searched.pages)
    .slice(0, searched.lines);
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
  const some = any.filter(shows);
  if (!all.every(shows) || (any.length > 0 && some.length === 0) || none.some(shows))
    return undefined;
  return [...all, ...some].filter((sign) => !isBuiltIn(sign)).length;
}

function isBuiltIn(sign: string): sign is BuiltInSign {
  return builtInSigns.some((known) => known === sign);
}
