import { findPhrase, type Phrases, toTokenSequences } from './phrase.ts';
import { vocabulary } from './vocabulary/index.ts';

/** The meaning of a printed label. */
export type Label = keyof typeof vocabulary;

interface Compiled {
  byLabel: ReadonlyMap<string, Phrases>;
  words: ReadonlySet<string>;
}

let compiled: Compiled | undefined;

export function phrasesFor(label: Label): Phrases {
  compiled ??= compile();
  return compiled.byLabel.get(label) ?? { sequences: [], known: compiled.words };
}

/** The first words of labels. A text that has none of them has none of the labels. */
export function firstWordsOf(labels: readonly Label[]): Phrases {
  compiled ??= compile();
  const words = labels.flatMap((label) =>
    phrasesFor(label).sequences.flatMap(([first]) => first ?? []),
  );
  return { sequences: [...new Set(words)].map((word) => [word]), known: compiled.words };
}

/** Whether a text contains any of the labels. */
export function says(text: string, ...labels: Label[]): boolean {
  return labels.some((label) => findPhrase(text, phrasesFor(label)) !== undefined);
}

/** Phrases for labels from a schema. Words of `beside` are never treated as misreadings of them. */
export function toPhrases(texts: readonly string[], beside: readonly string[] = []): Phrases {
  compiled ??= compile();
  const { words } = compiled;
  const own = new Set(toTokenSequences([...texts, ...beside]).flat());
  return {
    sequences: toTokenSequences(texts),
    known: { has: (word) => own.has(word) || words.has(word) },
  };
}

function compile(): Compiled {
  const sequences = Object.entries(vocabulary).map(([label, languages]) => {
    const phrases = Object.values(languages).flatMap((list) => list.split(','));
    return [label, toTokenSequences(phrases)] as const;
  });
  const words = new Set(sequences.flatMap(([, all]) => all.flat()));
  return {
    byLabel: new Map(sequences.map(([label, all]) => [label, { sequences: all, known: words }])),
    words,
  };
}
