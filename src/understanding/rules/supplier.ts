import type { LayoutReading } from '../layout/layout-reading.ts';
import { rankSuppliers } from '../layout/parties/suppliers.ts';
import type { Found } from './found.ts';
import { foundParty } from './found-party.ts';

export function findSupplierName(reading: LayoutReading): Found | undefined {
  const [best] = rankSuppliers(reading);
  return best && foundParty(best);
}
