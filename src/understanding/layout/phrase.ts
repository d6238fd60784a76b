import { type Token, tokenize } from '../../lib/fold.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import type { Span } from './line.ts';
import { Misreadings, reads } from './misreadings.ts';

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
  const tokens = cachedTokens(text);
  const found = search(tokens, phrases);
  return found && spanOf(tokens, found);
}

/** All occurrences of the phrases, each without the words of the ones before it. */
export function findPhrases(text: string, phrases: Phrases): Span[] {
  const tokens = [...cachedTokens(text)];
  const spans: Span[] = [];
  for (let found = search(tokens, phrases); found; found = search(tokens, phrases)) {
    spans.push(spanOf(tokens, found));
    tokens.splice(found.at, found.words);
  }
  return spans;
}

interface Occurrence {
  /** Index of its first token. */
  at: number;
  words: number;
}

/** Looks phrases up by their first word instead of trying each of them at each place. */
function search(tokens: readonly Token[], phrases: Phrases): Occurrence | undefined {
  const { sequences, known } = phrases;
  const firstWords = firstWordsOf(phrases);
  let best = sequences.length;
  let place = 0;
  for (let at = 0; at < tokens.length; at++) {
    for (const index of firstWords.readAs(tokens[at]?.word ?? '')) {
      if (index >= best) break;
      if (goesOn(tokens, at, sequences[index] ?? [], known)) [best, place] = [index, at];
    }
  }
  const found = sequences[best];
  return found && { at: place, words: found.length };
}

/** Whether the words of a phrase after the first follow. */
function goesOn(
  tokens: readonly Token[],
  at: number,
  sequence: readonly string[],
  known: Phrases['known'],
): boolean {
  for (let i = 1; i < sequence.length; i++) {
    if (!reads(tokens[at + i]?.word ?? '', sequence[i] ?? '', known)) return false;
  }
  return true;
}

function spanOf(tokens: readonly Token[], { at, words }: Occurrence): Span {
  return { start: tokens[at]?.start ?? 0, end: tokens[at + words - 1]?.end ?? 0 };
}

const firstWordsOf = memoizeBy(({ sequences, known }: Phrases) => {
  const firstWords = sequences.map(([first = '']) => first);
  return new Misreadings(firstWords, known);
});

const tokenCache = new Map<string, readonly Token[]>();
const mostCachedTokens = 200_000;
let tokensInCache = 0;

/** A cache: every line is searched for dozens of labels. */
function cachedTokens(text: string): readonly Token[] {
  const known = tokenCache.get(text);
  if (known) return known;
  const tokens = tokenize(text);
  tokensInCache += tokens.length + 1;
  if (tokensInCache > mostCachedTokens) {
    tokenCache.clear();
    tokensInCache = tokens.length + 1;
  }
  tokenCache.set(text, tokens);
  return tokens;
}
