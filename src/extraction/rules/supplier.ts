import { rankSuppliers } from '../layout/parties/suppliers.ts';
import type { Reading } from '../layout/reading.ts';
import type { Found } from './found.ts';
import { foundParty } from './found-party.ts';

export function findSupplierName(reading: Reading): Found | undefined {
  const [best] = rankSuppliers(reading);
  return best && foundParty(best);
}
