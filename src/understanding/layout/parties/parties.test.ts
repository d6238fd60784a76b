import { describe, expect, test } from 'vitest';
import { plain, typeset } from '../../../../test/kit/pages.ts';
import { readLayout } from '../layout-reading.ts';
import { rankBuyers } from './buyers.ts';
import { rankSuppliers } from './suppliers.ts';

const readings = (text: string) =>
  [typeset(text), plain(text)].map((page) => readLayout({ pages: [page] }));
const sellersOf = (text: string) =>
  readings(text).map((reading) => rankSuppliers(reading)[0]?.value);
const buyersOf = (text: string) => readings(text).map((reading) => rankBuyers(reading)[0]?.value);
const both = (name: string) => [name, name];

const table = `
Description          Qty     Unit price     Amount
Hammer                 2          12.50      25.00
Total                                        25.00`;

describe('two parties without labels', () => {
  const twoAddresses = `
Orrin Vale                                     Bright Forge Ltd
4 Mill Row                                     9 Canal Street
Leeds LS1 4AP                                  York YO1 6HG
                                               Tel. 01904 496 0123
                                               VAT Reg. No. GB844267193
${table}`;

  test('the address with phone and tax id is the seller’s, the other the buyer’s', () => {
    expect(sellersOf(twoAddresses)).toEqual(both('Bright Forge Ltd'));
    expect(buyersOf(twoAddresses)).toEqual(both('Orrin Vale'));
  });

  test('where both have a tax id the first is the seller’s, whoever has a legal form', () => {
    const numbered = `
Potter’s Yard
Anna Reed
4 Mill Row, Leeds LS1 4AP
VAT Reg. No. GB844267193

Orchard Gallery Ltd
9 Canal Street
York YO1 6HG
VAT Reg. No. GB844267194
${table}`;
    expect(sellersOf(numbered)).toEqual(both('Potter’s Yard'));
    expect(buyersOf(numbered)).toEqual(both('Orchard Gallery Ltd'));
  });

  test('the line of the sender names the seller, what is below it the buyer', () => {
    const letter = `
Weber Optik · Ringstraße 8 · 50667 Köln
Stadtwerke Lindenau
Rathausplatz 1
04177 Leipzig
${table}`;
    expect(sellersOf(letter)).toEqual(both('Weber Optik'));
    expect(buyersOf(letter)).toEqual(both('Stadtwerke Lindenau'));
  });

  test('an address between commas is no sender', () => {
    const house = `
Bright Forge
Rose Cottage, Mill Lane, Bath BA2 3RN
${table}`;
    expect(sellersOf(house)).toEqual(both('Bright Forge'));
  });
});

describe('names that say less than others', () => {
  test('a logo is named in full at the foot', () => {
    const logo = `
Kanzlei Brandt

Kunde
Familie Thiele
Buchenring 5
38518 Gifhorn
${table}

Kanzlei Brandt & Voss
Am Wall 101
28195 Bremen`;
    expect(sellersOf(logo)).toEqual(both('Kanzlei Brandt & Voss'));
  });

  test('of two lines over an address the holder of the account counts', () => {
    const trade = `
GOLDEN DAWN
Maison Lumen
3 quai de la Fosse
44000 Nantes
${table}

Nom : Maison Lumen`;
    expect(sellersOf(trade)).toEqual(both('Maison Lumen'));
  });

  test('a site is called after its company', () => {
    const site = `
Happy Days

Lumora Light
9 Canal Street
York YO1 6HG
www.lumora.example
${table}`;
    expect(sellersOf(site)).toEqual(both('Lumora Light'));
  });
});

describe('labels', () => {
  test.each([
    ['two words for one party', 'Käufer/Leistungsempfänger'],
    ['a label of two words', 'Adresse du client'],
    ['too short to be a label elsewhere', 'To'],
  ])('%s', (_, label) => {
    const labelled = `
Bright Forge Ltd
9 Canal Street
York YO1 6HG

${label}
Orrin Vale
4 Mill Row
Leeds LS1 4AP
${table}`;
    expect(buyersOf(labelled)).toEqual(both('Orrin Vale'));
  });

  test('where goods go, who is to read it and who acts for the seller are neither party', () => {
    const others = `
Bright Forge Ltd
9 Canal Street
York YO1 6HG

Deliver to:               Bill to:                Fiscal representative:
Depot Nine Ltd            Orrin Vale              Third Hand Ltd
7 Quay Road               Attn: Ms Hughes         1 High Street
Hull HU3 4BX              4 Mill Row              Exeter EX4 2PL
                          Leeds LS1 4AP
${table}`;
    expect(sellersOf(others)).toEqual(both('Bright Forge Ltd'));
    expect(buyersOf(others)).toEqual(both('Orrin Vale'));
  });

  test('an address over which no name stands has none', () => {
    expect(sellersOf('lumora.com\n9 Canal Street\nYork YO1 6HG')).toEqual([undefined, undefined]);
  });

  test('where goods go is told by a label that says more, too', () => {
    const goods = `
Bright Forge
9 Canal Street
York YO1 6HG
Tel. 01904 496 0123

Delivery address: dock, gate, floor
Depot Nine
7 Quay Road
Hull HU3 4BX

z. Hd. Frau Ritter
Orrin Vale
4 Mill Row
Leeds LS1 4AP
${table}`;
    expect(buyersOf(goods)).toEqual(both('Orrin Vale'));
  });

  test('a label is no name', () => {
    expect(sellersOf(`Quality mark:\nOrrin Vale\n${table}`)).toEqual(both('Orrin Vale'));
    const first = `
For the attention of
Orrin Vale
${table}`;
    expect(sellersOf(first)).toEqual(both('Orrin Vale'));
  });

  test('the number of a customer is not its name', () => {
    const numbered = `
Bright Forge Ltd
9 Canal Street
York YO1 6HG

Kunden-Nr. 4711
Quality since 1911
${table}`;
    expect(buyersOf(numbered)).toEqual([undefined, undefined]);
  });

  const form = (seller: string, buyer: string) => `
INVOICE
Seller:       ${seller}, Rua das Flores 31, 4050-265 Porto
Buyer:        ${buyer}, 4 Mill Row, Leeds LS1 4AP
${table}`;

  test('a form has name and address in one line behind the label', () => {
    const printed = form('Studio Verde', 'Orrin Vale Ltd');
    expect(sellersOf(printed)).toEqual(both('Studio Verde'));
    expect(buyersOf(printed)).toEqual(both('Orrin Vale Ltd'));
    for (const reading of readings(printed))
      expect(rankSuppliers(reading).map(({ value }) => value)).not.toContain('Orrin Vale Ltd');
  });

  test('a legal form behind a comma belongs to the name', () => {
    expect(sellersOf(form('Vilarinho, Lda.', 'Orrin Vale'))).toEqual(both('Vilarinho, Lda.'));
  });

  test('no party is named in the table of items', () => {
    expect(buyersOf(`Bright Forge Ltd\nCustomer:\n${table.trim()}`)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
