import { type Phrases, sequencesOf } from './phrase.ts';
import { vocabulary } from './vocabulary.ts';

/** What an inscription on a document can mean. */
export type Label = keyof typeof vocabulary;

let compiled: ReadonlyMap<string, Phrases> | undefined;

export function phrasesFor(label: Label): Phrases {
  compiled ??= compile();
  return compiled.get(label) ?? { sequences: [], known: new Set() };
}

function compile(): ReadonlyMap<string, Phrases> {
  const sequences = Object.entries(vocabulary).map(([label, languages]) => {
    const phrases = Object.values(languages).flatMap((list) => list.split(','));
    return [label, sequencesOf(phrases)] as const;
  });
  const known = new Set(sequences.flatMap(([, all]) => all.flat()));
  return new Map(sequences.map(([label, all]) => [label, { sequences: all, known }]));
}
