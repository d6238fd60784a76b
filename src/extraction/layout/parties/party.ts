import { fold } from '../../../lib/fold.ts';
import { endsWithLegalForm, trimCompanyName } from './company-name.ts';
import type { HeadPart } from './head.ts';
import type { OwnedBlock } from './page-context.ts';
import { isTown } from './town.ts';

/** Who the seller or the buyer may be. */
export interface PartyCandidate {
  value: string;
  /** The lines its name is printed in. */
  parts: readonly HeadPart[];
  /** How much speaks for it; a label that names it outright outweighs all else. */
  score: number;
  /** The part of the score that is not owed to its place on the page. */
  backing: number;
  /** What it stands over. */
  address: OwnedBlock | undefined;
}

export function joinName(parts: readonly HeadPart[]): string {
  return withoutAddress(trimCompanyName(parts.map(({ text }) => text).join(' ')));
}

/** Forms print a party in one line: name, street, town. */
function withoutAddress(text: string): string {
  const [name = text, next = '', ...rest] = text.split(/, | · /);
  if (rest.length === 0 || !isTown(text) || /\d/.test(name)) return text;
  return endsWithLegalForm(`${name} ${next}`) ? `${name}, ${next}` : name;
}

/** Each name once, where most speaks for it; best first. */
export function ranked(candidates: readonly PartyCandidate[]): PartyCandidate[] {
  const sorted = candidates.toSorted((a, b) => b.score - a.score);
  return sorted.filter(
    ({ value }, i) => sorted.findIndex((other) => fold(other.value) === fold(value)) === i,
  );
}
