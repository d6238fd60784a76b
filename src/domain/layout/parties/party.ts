import { fold } from '../../values/fold.ts';
import { trimCompanyName } from './company-name.ts';
import type { HeadPart } from './head.ts';

/** Who the seller or the buyer may be. */
export interface PartyCandidate {
  value: string;
  /** The lines its name is printed in. */
  parts: readonly HeadPart[];
  /** How much speaks for it; a label that names it outright outweighs all else. */
  score: number;
}

export function nameOf(parts: readonly HeadPart[]): string {
  return trimCompanyName(parts.map(({ text }) => text).join(' '));
}

/** Each name once, where most speaks for it; best first. */
export function ranked(candidates: readonly PartyCandidate[]): PartyCandidate[] {
  const sorted = candidates.toSorted((a, b) => b.score - a.score);
  return sorted.filter(({ value }, i) => sorted.findIndex((other) => fold(other.value) === fold(value)) === i);
}
