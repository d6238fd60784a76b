import { withinEdits } from '../../lib/edit-distance.ts';
import { type Token, tokenize } from '../../lib/fold.ts';
import type { Span } from './line.ts';

export interface Phrases {
  /** Folded words in order, the longest phrases first. */
  sequences: readonly (readonly string[])[];
  /**
   * Vocabulary words, which are never treated as misreadings of each other: "charge" is not
   * "change".
   */
  known: Pick<ReadonlySet<string>, 'has'>;
}

export function toTokenSequences(phrases: readonly string[]): string[][] {
  return phrases
    .map((phrase) => tokenize(phrase).map(({ word }) => word))
    .sort((a, b) => b.length - a.length);
}

/**
 * Finds a phrase in a text, trying longer phrases first. Long words may contain misread letters.
 */
export function findPhrase(text: string, phrases: Phrases): Span | undefined {
  const known = resultCache.get(phrases) ?? new Map<string, Span | undefined>();
  if (known.has(text)) return known.get(text);
  if (known.size >= resultCacheSize) known.clear();
  const found = search(text, phrases);
  resultCache.set(phrases, known.set(text, found));
  return found;
}

/** A cache: the same lines are searched for the same labels many times per document. */
const resultCache = new WeakMap<Phrases, Map<string, Span | undefined>>();
const resultCacheSize = 512;

function search(text: string, { sequences, known }: Phrases): Span | undefined {
  const tokens = cachedTokens(text);
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

const tokenCache = new Map<string, Token[]>();

/** A cache: a line is searched for dozens of labels in a row. */
function cachedTokens(text: string): Token[] {
  const known = tokenCache.get(text);
  if (known) return known;
  if (tokenCache.size >= 256) tokenCache.clear();
  const tokens = tokenize(text);
  tokenCache.set(text, tokens);
  return tokens;
}

function reads(printed: string, word: string, known: Phrases['known']): boolean {
  return printed === word || (withinEdits(printed, word, tolerated(word)) && !known.has(printed));
}

/**
 * The maximum number of wrong letters. "Inclusive" and "exclusive" differ in two, so words of that
 * length may have only one.
 */
function tolerated({ length }: string): number {
  if (length < 5) return 0;
  return length < 10 ? 1 : 2;
}
