import type { DocumentSchema } from '../domain/schema/index.ts';
import { type BuiltInSign, builtInSigns, type Recognition } from '../domain/schema/recognition.ts';
import type { Transcription } from '../domain/transcription.ts';
import { toPhrases } from './layout/labels.ts';
import { readLayout } from './layout/layout-reading.ts';
import { findPhrase } from './layout/phrase.ts';
import { type Seen, typeSignals } from './type-signals.ts';

/** Documents say what they are where they begin. */
const lookedAt = { pages: 2, lines: 200 };

/**
 * The type that a document shows itself to be. Of several, the one of which most words stand there: signs alone are
 * vaguer than any word. The first of equals wins.
 */
export function recognise<Type extends Pick<DocumentSchema, 'recognise'>>(
  transcription: Transcription,
  types: readonly Type[],
): Type | undefined {
  const look = looking({ transcription, reading: readLayout(transcription) });
  const ranked = types.flatMap((type) => {
    const words = (type.recognise ?? []).flatMap((way) => wordsBy(way, look) ?? []);
    return words.length > 0 ? [{ type, words: Math.max(...words) }] : [];
  });
  return ranked.toSorted((a, b) => b.words - a.words)[0]?.type;
}

interface Look {
  shows(sign: string): boolean;
}

/** Types ask for the same signs again and again. */
function looking(seen: Seen): Look {
  const lines = seen.reading.lines
    .filter(({ page }) => page <= lookedAt.pages)
    .slice(0, lookedAt.lines);
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

/** How many words of it stand there; undefined where it is not this. */
function wordsBy(
  { all = [], any = [], none = [] }: Recognition,
  { shows }: Look,
): number | undefined {
  const some = any.filter(shows);
  if (!all.every(shows) || (any.length > 0 && some.length === 0) || none.some(shows))
    return undefined;
  return [...all, ...some].filter((sign) => !isBuiltIn(sign)).length;
}

function isBuiltIn(sign: string): sign is BuiltInSign {
  return builtInSigns.some((known) => known === sign);
}
