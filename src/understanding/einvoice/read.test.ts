import { describe, expect, test } from 'vitest';
import { readEInvoice } from './read.ts';

const read = (text: string) =>
  readEInvoice({ name: 'invoice.xml', mediaType: 'application/xml', text });

const expected = {
  invoice_number: 'R-7',
  invoice_date: '2024-03-05',
  due_date: '2024-04-04',
  supplier_name: 'Muster & Söhne GmbH',
  supplier_address: 'Weg 1, 80333, München, DE',
  supplier_vat_id: 'DE136695976',
  buyer_name: 'Kunde AG',
  buyer_address: 'Platz 2, 10115, Berlin, DE',
  currency: 'EUR',
  line_items: [
    { description: 'Papier A4', quantity: 20, unit_price: 9.9, vat_rate: 19, amount: 198 },
  ],
  subtotal: 198,
  vat_amount: 37.62,
  total: 235.62,
  iban: 'DE89370400440532013000',
  purchase_order: 'PO-1',
};

const party = (tag: string, name: string, street: string, zip: string, city: string, ids = '') =>
  `<ram:${tag}><ram:Name>${name}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>${zip}</ram:PostcodeCode>
  <ram:LineOne>${street}</ram:LineOne><ram:CityName>${city}</ram:CityName><ram:CountryID>DE</ram:CountryID>
  </ram:PostalTradeAddress>${ids}</ram:${tag}>`;

const taxIds = `<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">1/2/3</ram:ID></ram:SpecifiedTaxRegistration>
  <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration>`;

const day = (date: string) => `<udt:DateTimeString format="102">${date}</udt:DateTimeString>`;

interface CiiNames {
  root: string;
  header: string;
  trade: string;
  part: string;
  linePart: string;
  sums: string;
  lineSums: string;
  percent: string;
  order: string;
}

const cii = (names: CiiNames) => `<?xml version="1.0"?>
<rsm:${names.root} xmlns:rsm="urn:r" xmlns:ram="urn:a" xmlns:udt="urn:u">
<rsm:${names.header}><ram:ID>R-7</ram:ID><ram:IssueDateTime>${day('20240305')}</ram:IssueDateTime></rsm:${names.header}>
<rsm:${names.trade}>
<ram:IncludedSupplyChainTradeLineItem>
<ram:SpecifiedTradeProduct><ram:Name>Papier A4</ram:Name></ram:SpecifiedTradeProduct>
<ram:${names.linePart}TradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>9.90</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:${names.linePart}TradeAgreement>
<ram:${names.linePart}TradeDelivery><ram:BilledQuantity unitCode="C62">20.0000</ram:BilledQuantity></ram:${names.linePart}TradeDelivery>
<ram:${names.linePart}TradeSettlement><ram:ApplicableTradeTax><ram:${names.percent}>19</ram:${names.percent}></ram:ApplicableTradeTax>
<ram:${names.lineSums}><ram:LineTotalAmount>198.00</ram:LineTotalAmount></ram:${names.lineSums}></ram:${names.linePart}TradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>
<ram:${names.part}Agreement>${party('SellerTradeParty', 'Muster &amp; S&#246;hne GmbH', 'Weg 1', '80333', 'München', taxIds)}
${party('BuyerTradeParty', 'Kunde AG', 'Platz 2', '10115', 'Berlin')}
<ram:BuyerOrderReferencedDocument><ram:${names.order}>PO-1</ram:${names.order}></ram:BuyerOrderReferencedDocument></ram:${names.part}Agreement>
<ram:${names.part}Settlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE89370400440532013000</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${day('20240404')}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
<ram:${names.sums}><ram:TaxBasisTotalAmount>198.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="USD">40.00</ram:TaxTotalAmount>
<ram:TaxTotalAmount currencyID="EUR">37.62</ram:TaxTotalAmount><ram:GrandTotalAmount>235.62</ram:GrandTotalAmount></ram:${names.sums}>
</ram:${names.part}Settlement></rsm:${names.trade}></rsm:${names.root}>`;

const version2 = cii({
  root: 'CrossIndustryInvoice',
  header: 'ExchangedDocument',
  trade: 'SupplyChainTradeTransaction',
  part: 'ApplicableHeaderTrade',
  linePart: 'SpecifiedLine',
  sums: 'SpecifiedTradeSettlementHeaderMonetarySummation',
  lineSums: 'SpecifiedTradeSettlementLineMonetarySummation',
  percent: 'RateApplicablePercent',
  order: 'IssuerAssignedID',
});

const version1 = cii({
  root: 'CrossIndustryDocument',
  header: 'HeaderExchangedDocument',
  trade: 'SpecifiedSupplyChainTradeTransaction',
  part: 'ApplicableSupplyChainTrade',
  linePart: 'SpecifiedSupplyChain',
  sums: 'SpecifiedTradeSettlementMonetarySummation',
  lineSums: 'SpecifiedTradeSettlementMonetarySummation',
  percent: 'ApplicablePercent',
  order: 'ID',
});

const ublParty = (tag: string, name: string, street: string, zip: string, city: string, vat = '') =>
  `<cac:${tag}><cac:Party><cac:PostalAddress><cbc:StreetName>${street}</cbc:StreetName><cbc:CityName>${city}</cbc:CityName>
  <cbc:PostalZone>${zip}</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
  ${vat}<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${tag}>`;

const ubl = (root: string, line: string, quantity: string, due: string) => `<?xml version="1.0"?>
<${root} xmlns="urn:${root}" xmlns:cac="urn:c" xmlns:cbc="urn:b"><cbc:ID>R-7</cbc:ID><cbc:IssueDate>2024-03-05</cbc:IssueDate>
<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference>
${ublParty('AccountingSupplierParty', 'Muster &amp; Söhne GmbH', 'Weg 1', '80333', 'München', '<cac:PartyTaxScheme><cbc:CompanyID>DE136695976</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>')}
${ublParty('AccountingCustomerParty', 'Kunde AG', 'Platz 2', '10115', 'Berlin')}
<cac:PaymentMeans>${due}<cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">37.62</cbc:TaxAmount></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>198</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>235.62</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
<cac:${line}><cbc:${quantity}>20</cbc:${quantity}><cbc:LineExtensionAmount>198.00</cbc:LineExtensionAmount>
<cac:Item><cbc:Name>Papier A4</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>19</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
<cac:Price><cbc:PriceAmount>9.90</cbc:PriceAmount></cac:Price></cac:${line}></${root}>`;

const due = '<cbc:PaymentDueDate>2024-04-04</cbc:PaymentDueDate>';

describe('every syntax says the same', () => {
  test.each([
    ['Cross Industry Invoice', version2],
    ['ZUGFeRD 1', version1],
    ['UBL Invoice', ubl('Invoice', 'InvoiceLine', 'InvoicedQuantity', due)],
    ['UBL CreditNote', ubl('CreditNote', 'CreditNoteLine', 'CreditedQuantity', due)],
  ])('%s', (_, xml) => expect(read(xml)).toEqual(expected));
});

test('discounts and charges on the whole are rows, so that rows add up', () => {
  const charges = `<AllowanceCharge><ChargeIndicator>false</ChargeIndicator><AllowanceChargeReason>Rabatt</AllowanceChargeReason>
    <Amount>5.00</Amount></AllowanceCharge><AllowanceCharge><ChargeIndicator>true</ChargeIndicator><Amount>2</Amount></AllowanceCharge>`;
  expect(read(`<Invoice>${charges}<InvoiceLine/></Invoice>`)?.line_items.slice(1)).toMatchObject([
    { description: 'Rabatt', amount: -5 },
    { amount: 2 },
  ]);
});

test('lines that group others are not counted twice', () => {
  const line = (
    status: string,
  ) => `<IncludedSupplyChainTradeLineItem><AssociatedDocumentLineDocument>
    <LineStatusReasonCode>${status}</LineStatusReasonCode></AssociatedDocumentLineDocument></IncludedSupplyChainTradeLineItem>`;
  const trade = `<SupplyChainTradeTransaction>${line('GROUP')}${line('DETAIL')}</SupplyChainTradeTransaction>`;
  expect(read(`<CrossIndustryInvoice>${trade}</CrossIndustryInvoice>`)?.line_items).toHaveLength(1);
});

test('other XML is no invoice', () => {
  expect(read('<SCRDMCCBDACIOMessageStructure/>')).toBeUndefined();
  expect(read('<dummy></dummy>')).toBeUndefined();
  expect(read('no xml at all')).toBeUndefined();
  expect(read('<list><Invoice><ID>1</ID></Invoice></list>')).toBeUndefined();
  expect(read('<!-- <html> --><Invoice><ID>1</ID></Invoice>')?.invoice_number).toBe('1');
});

describe('hostile XML', () => {
  const refused = (xml: string) =>
    expect(() => read(xml)).toThrowError(expect.objectContaining({ code: 'INVALID_FILE' }));

  test('a document type is refused', () => {
    refused(
      '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]><Invoice><ID>&x;</ID></Invoice>',
    );
  });

  test('truncated XML is refused', () => refused('<Invoice><ID>1</ID>'));

  test('deep nesting is refused', () =>
    refused(`<Invoice>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</Invoice>`));

  test('huge XML is refused', () => refused(`<Invoice>${' '.repeat(20_000_001)}</Invoice>`));

  test('names that would reach a prototype are refused', () => {
    refused('<Invoice><ID>1</ID><__proto__><polluted>1</polluted></__proto__></Invoice>');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('unknown entities stay as they are', () => {
    expect(read('<Invoice><ID>&boom;&#x110000;</ID></Invoice>')?.invoice_number).toBe(
      '&boom;&#x110000;',
    );
  });
});
