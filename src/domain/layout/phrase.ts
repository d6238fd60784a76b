import { withinEdits } from '../values/edit-distance.ts';
import { type Token, tokensOf } from '../values/fold.ts';
import type { Span } from './line.ts';

/** Phrases as they are looked for: folded words in order. */
export type Phrases = readonly (readonly string[])[];

export function phrasesOf(phrases: readonly string[]): Phrases {
  return phrases.map((phrase) => tokensOf(phrase).map(({ word }) => word)).sort((a, b) => b.length - a.length);
}

/** Where a phrase stands in a text, longest first. Long words may have letters misread. */
export function findPhrase(text: string, phrases: Phrases): Span | undefined {
  const tokens = rememberedTokens(text);
  for (const phrase of phrases) {
    for (let at = 0; at + phrase.length <= tokens.length; at++) {
      const fits = phrase.every((word, i) => reads(tokens[at + i]?.word ?? '', word));
      if (fits) return { start: tokens[at]?.start ?? 0, end: tokens[at + phrase.length - 1]?.end ?? text.length };
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
  const tokens = tokensOf(text);
  remembered.set(text, tokens);
  return tokens;
}

function reads(printed: string, word: string): boolean {
  return printed === word || withinEdits(printed, word, tolerated(word));
}

/** "Inclusive" and "exclusive" are two letters apart: words as long as they may have one wrong. */
function tolerated({ length }: string): number {
  if (length < 5) return 0;
  return length < 10 ? 1 : 2;
}
