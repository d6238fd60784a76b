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

/** What speaks for one name and not for another weighs less than this only where it is one thing, or none. */
const nearlyEqual = 0.2;
/** So much speaks for a name that has a label, or nearly all else that can. */
const sure = 1.2;

/** A name that stands on the page may still be that of the wrong party. */
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
  // Of two addresses below each other the upper one is the sender's; of two side by side either may be.
  const weigh = areBeside(other, own) ? 'backing' : 'score';
  return other[weigh] > own[weigh] - nearlyEqual;
}

/** A trade name and the name in law over one address. */
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
