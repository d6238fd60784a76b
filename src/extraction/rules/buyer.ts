import { rankBuyers } from '../layout/parties/buyers.ts';
import { headOf, partsBelow } from '../layout/parties/head.ts';
import type { Reading } from '../layout/reading.ts';
import { addressIn } from './address.ts';
import type { Found } from './found.ts';
import { foundParty } from './found-party.ts';

export function findBuyerName(reading: Reading): Found | undefined {
  const [best] = rankBuyers(reading);
  return best && foundParty(best);
}

export function findBuyerAddress(reading: Reading): Found | undefined {
  const name = rankBuyers(reading)[0]?.parts.at(-1);
  return name && addressIn(partsBelow(headOf(reading, reading.lines.length), name));
}
