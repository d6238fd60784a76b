import { withinEdits } from '../../lib/edit-distance.ts';
import { type Token, tokenize } from '../../lib/fold.ts';
import type { Span } from './line.ts';

export interface Phrases {
  /** Folded words in order, the longest phrases first. */
  sequences: readonly (readonly string[])[];
  /** Words of the vocabulary: none of them is a misreading of another, "charge" is not "change". */
  known: Pick<ReadonlySet<string>, 'has'>;
}

export function toTokenSequences(phrases: readonly string[]): string[][] {
  return phrases
    .map((phrase) => tokenize(phrase).map(({ word }) => word))
    .sort((a, b) => b.length - a.length);
}

/** Where a phrase stands in a text, longest first. Long words may have letters misread. */
export function findPhrase(text: string, phrases: Phrases): Span | undefined {
  const known = answered.get(phrases) ?? new Map<string, Span | undefined>();
  if (known.has(text)) return known.get(text);
  if (known.size >= answersKept) known.clear();
  const found = search(text, phrases);
  answered.set(phrases, known.set(text, found));
  return found;
}

/** The same lines are asked for the same labels again and again while a document is read and judged. */
const answered = new WeakMap<Phrases, Map<string, Span | undefined>>();
const answersKept = 512;

function search(text: string, { sequences, known }: Phrases): Span | undefined {
  const tokens = rememberedTokens(text);
  for (const phrase of sequences) {
    for (let at = 0; at + phrase.length <= tokens.length; at++) {
      const fits = phrase.every((word, i) => reads(tokens[at + i]?.word ?? '', word, known));
      if (fits)
        return {
          start: tokens[at]?.start ?? 0,
          end: tokens[at + phrase.length - 1]?.end ?? text.length,
        };
    }
  }
  return undefined;
}

const remembered = new Map<string, Token[]>();

/** A line is asked for dozens of labels in a row. */
function rememberedTokens(text: string): Token[] {
  const known = remembered.get(text);
  if (known) return known;
  if (remembered.size >= 256) remembered.clear();
  const tokens = tokenize(text);
  remembered.set(text, tokens);
  return tokens;
}

function reads(printed: string, word: string, known: Phrases['known']): boolean {
  return printed === word || (withinEdits(printed, word, tolerated(word)) && !known.has(printed));
}

/** "Inclusive" and "exclusive" are two letters apart: words as long as they may have one wrong. */
function tolerated({ length }: string): number {
  if (length < 5) return 0;
  return length < 10 ? 1 : 2;
}
