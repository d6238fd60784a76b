import { expect, test } from 'vitest';
import { plain } from '../../../test/kit/pages.ts';
import { readLayout } from './layout-reading.ts';

test.each([
  ['SEK', 'Summa 100,00 kr\nMomsreg.nr SE556677889901'],
  ['NOK', 'Sum 100,00 kr\nKonto NO93 8601 1117 947'],
  ['DKK', 'I alt 100,00 kr\nVenligst betal beløbet inden fristen, og tak for ordren'],
  ['PLN', 'Razem 100,00 zł'],
  ['CZK', 'Celkem 100,00 Kč'],
  ['EUR', 'TOTALE EURO 17,60'],
  [undefined, 'Sum 100,00 kr'],
])('%s', (code, text) => expect(readLayout({ pages: [plain(text)] }).currency?.code).toBe(code));
