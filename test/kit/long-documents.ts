import type { Page, Transcription, Word } from '../../src/domain/transcription.ts';

/** Generated documents of any length, for the cost of understanding them. */

const goods = ['Copper pipe', 'Steel bracket', 'Oak panel', 'Rubber seal', 'Brass valve'];

interface Item {
  description: string;
  quantity: number;
  price: number;
  amount: number;
}

function itemsOf(lines: number): Item[] {
  return Array.from({ length: lines }, (_, i) => {
    const quantity = (i % 9) + 1;
    const price = ((i * 37) % 9000) / 100 + 1;
    const description = `${goods[i % goods.length]} ${String.fromCharCode(65 + (i % 26))}-${i}`;
    return { description, quantity, price, amount: Math.round(quantity * price * 100) / 100 };
  });
}

interface Sums {
  net: number;
  tax: number;
  total: number;
}

function sumsOf(items: readonly Item[]): Sums {
  const net = Math.round(items.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100;
  const tax = Math.round(net * 19) / 100;
  return { net, tax, total: Math.round((net + tax) * 100) / 100 };
}

const rowsPerPage = 50;

/** The rows of an invoice, each a list of cells. */
function rowsOf(lines: number): string[][] {
  const items = itemsOf(lines);
  const { net, tax, total } = sumsOf(items);
  return [
    ['Northwind Metals GmbH'],
    ['Hafenstrasse 12'],
    ['20457 Hamburg'],
    ['VAT ID: DE136695976'],
    ['Bill to:'],
    ['Contoso Trading Ltd'],
    ['Leeds LS2 7QA'],
    ['Invoice number: INV-2026-0042'],
    ['Invoice date: 2026-03-05'],
    ['Description', 'Quantity', 'Unit price', 'VAT rate', 'Amount'],
    ...items.map(({ description, quantity, price, amount }) => [
      description,
      String(quantity),
      price.toFixed(2),
      '19 %',
      amount.toFixed(2),
    ]),
    ['Subtotal', `${net.toFixed(2)} EUR`],
    ['VAT 19 %', `${tax.toFixed(2)} EUR`],
    ['Total', `${total.toFixed(2)} EUR`],
    ['IBAN DE89 3704 0044 0532 0130 00'],
  ];
}

/** An invoice as plain text. */
export function textInvoice(lines: number): string {
  return rowsOf(lines)
    .map((cells) => cells.join('    '))
    .join('\n');
}

/** An invoice as the text layer of a PDF: words with boxes. */
export function printedInvoice(lines: number): Transcription {
  const rows = rowsOf(lines);
  const pages = Array.from({ length: Math.ceil(rows.length / rowsPerPage) }, (_, i) =>
    printedPage(i + 1, rows.slice(i * rowsPerPage, (i + 1) * rowsPerPage)),
  );
  return { engine: 'made/1', pages, embedded: [], problems: [] };
}

function printedPage(number: number, rows: readonly string[][]): Page {
  const words = rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => wordsOf(cell, 40 + column * 110, 40 + row * 15)),
  );
  return {
    number,
    width: 595,
    height: 842,
    text: rows.map((cells) => cells.join('  ')).join('\n'),
    words,
    quality: { score: 1, defects: [] },
    native: true,
  };
}

function wordsOf(cell: string, left: number, top: number): Word[] {
  let at = left;
  return cell.split(' ').map((text) => {
    const start = at;
    at += text.length * 5 + 4;
    return { text, box: [start, top, at - 4, top + 10], confidence: 1 };
  });
}

export function ublInvoice(lines: number): string {
  const items = itemsOf(lines);
  const { net, tax, total } = sumsOf(items);
  const party = (name: string, city: string, id: string) =>
    `<cac:Party><cac:PostalAddress><cbc:StreetName>Hafenstrasse 12</cbc:StreetName><cbc:CityName>${city}</cbc:CityName>` +
    `<cbc:PostalZone>20457</cbc:PostalZone></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${id}</cbc:CompanyID>` +
    `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>` +
    `<cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`;
  const rows = items.map(
    ({ description, quantity, price, amount }, i) =>
      `  <cac:InvoiceLine>\n    <cbc:ID>${i + 1}</cbc:ID>\n    <cbc:InvoicedQuantity unitCode="C62">${quantity}</cbc:InvoicedQuantity>\n` +
      `    <cbc:LineExtensionAmount currencyID="EUR">${amount.toFixed(2)}</cbc:LineExtensionAmount>\n    <cac:Item>\n` +
      `      <cbc:Name>${description}</cbc:Name>\n      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent>` +
      `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>\n    </cac:Item>\n` +
      `    <cac:Price><cbc:PriceAmount currencyID="EUR">${price.toFixed(2)}</cbc:PriceAmount></cac:Price>\n  </cac:InvoiceLine>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">',
    '  <cbc:ID>INV-2026-0042</cbc:ID>',
    '  <cbc:IssueDate>2026-03-05</cbc:IssueDate>',
    '  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>',
    `  <cac:AccountingSupplierParty>${party('Northwind Metals GmbH', 'Hamburg', 'DE136695976')}</cac:AccountingSupplierParty>`,
    `  <cac:AccountingCustomerParty>${party('Contoso Trading Ltd', 'Leeds', 'DE129274202')}</cac:AccountingCustomerParty>`,
    `  <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${tax.toFixed(2)}</cbc:TaxAmount></cac:TaxTotal>`,
    '  <cac:LegalMonetaryTotal>',
    `    <cbc:TaxExclusiveAmount currencyID="EUR">${net.toFixed(2)}</cbc:TaxExclusiveAmount>`,
    `    <cbc:TaxInclusiveAmount currencyID="EUR">${total.toFixed(2)}</cbc:TaxInclusiveAmount>`,
    '  </cac:LegalMonetaryTotal>',
    ...rows,
    '</Invoice>',
  ].join('\n');
}

export function ciiInvoice(lines: number): string {
  const items = itemsOf(lines);
  const { net, tax, total } = sumsOf(items);
  const rows = items.map(
    ({ description, quantity, price, amount }) =>
      `    <ram:IncludedSupplyChainTradeLineItem>\n      <ram:SpecifiedTradeProduct><ram:Name>${description}</ram:Name></ram:SpecifiedTradeProduct>\n` +
      `      <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${price.toFixed(2)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>\n` +
      `      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>\n` +
      `      <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>` +
      `<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount.toFixed(2)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>\n` +
      '    </ram:IncludedSupplyChainTradeLineItem>',
  );
  const party = (name: string, city: string) =>
    `<ram:Name>${name}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>20457</ram:PostcodeCode><ram:CityName>${city}</ram:CityName></ram:PostalTradeAddress>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">',
    '  <rsm:ExchangedDocument><ram:ID>INV-2026-0042</ram:ID><ram:IssueDateTime><udt:DateTimeString format="102">20260305</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>',
    '  <rsm:SupplyChainTradeTransaction>',
    ...rows,
    `    <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty>${party('Northwind Metals GmbH', 'Hamburg')}<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>`,
    `      <ram:BuyerTradeParty>${party('Contoso Trading Ltd', 'Leeds')}</ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>`,
    '    <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>',
    `      <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>${net.toFixed(2)}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">${tax.toFixed(2)}</ram:TaxTotalAmount>`,
    `      <ram:GrandTotalAmount>${total.toFixed(2)}</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>`,
    '    </ram:ApplicableHeaderTradeSettlement>',
    '  </rsm:SupplyChainTradeTransaction>',
    '</rsm:CrossIndustryInvoice>',
  ].join('\n');
}

/** Words of an invoice without a single line break. */
export function oneLine(characters: number): string {
  const piece = 'Invoice total 12.50 EUR due date 05.03.2026 Copper pipe, ';
  return piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);
}

/** One line without a single space. */
export function oneWord(characters: number): string {
  return 'Rechnung1'.repeat(Math.ceil(characters / 9)).slice(0, characters);
}

/** An XML invoice of nothing but small elements. */
export function smallTags(characters: number): string {
  const piece = '<a>1</a>';
  return `<Invoice>${piece.repeat(Math.floor((characters - 19) / piece.length))}</Invoice>`;
}

/** Prose: nothing in it is an invoice. */
export function prose(characters: number): string {
  const sentences = [
    'The river was higher than it had been for years, and nobody in the village slept.',
    'She wrote the second letter on a Tuesday and carried it to the harbour herself.',
    'Of the nine boats that left, seven came back before the storm of the fourteenth.',
    'There is a path behind the mill which the children use when the gate is closed.',
  ];
  const lines: string[] = [];
  for (let length = 0, i = 0; length < characters; i++) {
    const line = `${sentences[i % sentences.length]} (${i})`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, characters);
}

/** A text file as the reader returns it. */
export function transcribedText(text: string): Transcription {
  const page: Page = {
    number: 1,
    width: 0,
    height: 0,
    text,
    words: [],
    quality: { score: 1, defects: [] },
    native: true,
  };
  return { engine: 'made/1', pages: [page], embedded: [], problems: [] };
}

/** An XML file as the reader returns it: as text, and as data. */
export function transcribedXml(text: string): Transcription {
  const file = { name: 'invoice.xml', mediaType: 'application/xml', text };
  return { ...transcribedText(text), embedded: [file] };
}
