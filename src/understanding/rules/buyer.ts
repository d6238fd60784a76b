import type { LayoutReading } from '../layout/layout-reading.ts';
import { rankBuyers } from '../layout/parties/buyers.ts';
import { findHead, partsBelow } from '../layout/parties/head.ts';
import { addressIn } from './address.ts';
import type { Found } from './found.ts';
import { foundParty } from './found-party.ts';

export function findBuyerName(reading: LayoutReading): Found | undefined {
  const [best] = rankBuyers(reading);
  return best && foundParty(best);
}

export function findBuyerAddress(reading: LayoutReading): Found | undefined {
  const name = rankBuyers(reading)[0]?.parts.at(-1);
  return name && addressIn(partsBelow(findHead(reading, reading.lines.length), name));
}
