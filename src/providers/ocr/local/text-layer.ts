import type { Page } from '../../../domain/transcription.ts';
import type { TextLayer } from '../../../content/pdf/text.ts';

/** A layer that says nothing of the page, one to compare with what the page shows, or one to take as it is. */
export type Trust = 'useless' | 'doubtful' | 'trusted';

const MAX_GARBAGE = 0.3;
/** A scan with a stamp or a running title laid over it. */
const MOSTLY_IMAGE = 0.5;
const FEW_WORDS = 15;
const HIDDEN_WORDS = 3;
const HIDDEN_SHARE = 0.2;

export function trustIn({ words, hidden, garbage, imageCoverage }: TextLayer): Trust {
  if (words.length === 0 || garbage > MAX_GARBAGE) return 'useless';
  if (hidden.length >= Math.min(HIDDEN_WORDS, Math.max(1, words.length * HIDDEN_SHARE))) return 'doubtful';
  return imageCoverage > MOSTLY_IMAGE && words.length < FEW_WORDS ? 'useless' : 'trusted';
}

/** Less than half of the words are to be seen on the page. Words in letters the recogniser does not know prove nothing. */
export function contradicts(words: readonly string[], seen: Pick<Page, 'text'>): boolean {
  const visible = squeeze(seen.text);
  const wanted = words.map(squeeze).filter((word) => /^[\p{Script=Latin}\p{N}]{2,}$/u.test(word));
  return wanted.filter((word) => visible.includes(word)).length < wanted.length / 2;
}

/** Recognition errs in spaces and punctuation first. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
