import { fold } from '../../../lib/fold.ts';
import { endsWithLegalForm, trimCompanyName } from './company-name.ts';
import type { HeadPart } from './head.ts';
import type { OwnedBlock } from './page-context.ts';
import { isTown } from './town.ts';

/** A candidate for seller or buyer. */
export interface PartyCandidate {
  value: string;
  /** The lines that contain its name. */
  parts: readonly HeadPart[];
  /** Strength of the evidence. A label that names the party outweighs everything else. */
  score: number;
  /** The part of the score that does not depend on the position on the page. */
  backing: number;
  /** The address below the name. */
  address: OwnedBlock | undefined;
}

export function joinName(parts: readonly HeadPart[]): string {
  return withoutAddress(trimCompanyName(parts.map(({ text }) => text).join(' ')));
}

/** Forms print a party on one line: name, street, town. */
function withoutAddress(text: string): string {
  const [name = text, next = '', ...rest] = text.split(/, | · /);
  if (rest.length === 0 || !isTown(text) || /\d/.test(name)) return text;
  return endsWithLegalForm(`${name} ${next}`) ? `${name}, ${next}` : name;
}

/** Each name once, with its best score, best first. */
export function ranked(candidates: readonly PartyCandidate[]): PartyCandidate[] {
  const seen = new Set<string>();
  return candidates
    .toSorted((a, b) => b.score - a.score)
    .filter(({ value }) => {
      const name = fold(value);
      return !seen.has(name) && seen.add(name);
    });
}
