import { fold } from '../../lib/fold.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { rankBuyers } from '../layout/parties/buyers.ts';
import { isInColumn } from '../layout/parties/head.ts';
import type { PartyCandidate } from '../layout/parties/party.ts';
import { rankSuppliers } from '../layout/parties/suppliers.ts';

export function contradictedSupplier(value: unknown, reading: LayoutReading): string | undefined {
  return contradictedBy(rankSuppliers(reading), String(value));
}

export function contradictedBuyer(value: unknown, reading: LayoutReading): string | undefined {
  return contradictedBy(rankBuyers(reading), String(value));
}

/**
 * Candidates whose scores differ by less than this are too close to call: they differ by at most
 * one piece of evidence.
 */
const nearlyEqual = 0.2;
/** The score of a name with its own label, or with nearly all other kinds of evidence. */
const sure = 1.2;

/** A name that is printed on the page may still belong to the wrong party. */
function contradictedBy(ranked: readonly PartyCandidate[], value: string): string | undefined {
  const own = ranked.find((candidate) => isSame(candidate.value, value));
  const rival = ranked.find(
    (candidate) => !isSame(candidate.value, value) && rivals(candidate, own),
  );
  return rival && `may also be "${rival.value}" (${placeOf(rival)})`;
}

function rivals(other: PartyCandidate, own: PartyCandidate | undefined): boolean {
  if (!own) return other.score >= sure;
  if (other.backing <= 0 || isOneParty(other, own)) return false;
  // If two addresses are stacked, the upper one belongs to the sender. If they are side by side,
  // position says nothing.
  const weigh = areBeside(other, own) ? 'backing' : 'score';
  return other[weigh] > own[weigh] - nearlyEqual;
}

/** A trade name and a legal name above the same address are one party. */
function isOneParty({ address }: PartyCandidate, own: PartyCandidate): boolean {
  return address !== undefined && address === own.address;
}

function areBeside({ address: other }: PartyCandidate, { address: own }: PartyCandidate): boolean {
  const [one, two] = [other?.names[0], own?.names[0]];
  return (
    one !== undefined && two !== undefined && !other?.owner && !own?.owner && !isInColumn(one, two)
  );
}

function isSame(a: string, b: string): boolean {
  const [one, two] = [fold(a), fold(b)];
  return one.includes(two) || two.includes(one);
}

function placeOf({ parts: [first] }: PartyCandidate): string {
  return first ? `page ${first.line.page}, line ${first.row + 1}` : 'elsewhere';
}
