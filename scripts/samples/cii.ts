import { type Invoice, type Line, lineCents, type Party, totals } from './invoice.ts';

const GUIDELINE = 'urn:cen.eu:en16931:2017';

/** The invoice as Cross Industry Invoice XML (EN 16931). The schema fixes the element order. */
export function crossIndustryInvoice(invoice: Invoice): string {
  const { number, issued, lines, note } = invoice;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext>
    <ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${GUIDELINE}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
  </rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>${number}</ram:ID>
    <ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime>${date(issued)}</ram:IssueDateTime>
    <ram:IncludedNote><ram:Content>${escaped(note)}</ram:Content></ram:IncludedNote>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
${lines.map(lineItem).join('\n')}
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty>${party(invoice.seller)}</ram:SellerTradeParty>
      <ram:BuyerTradeParty>${party(invoice.buyer)}</ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery>
      <ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${date(invoice.delivered)}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>
    </ram:ApplicableHeaderTradeDelivery>
${settlement(invoice)}
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

function lineItem(line: Line, index: number): string {
  return `    <ram:IncludedSupplyChainTradeLineItem>
      <ram:AssociatedDocumentLineDocument><ram:LineID>${index + 1}</ram:LineID></ram:AssociatedDocumentLineDocument>
      <ram:SpecifiedTradeProduct><ram:Name>${escaped(line.text)}</ram:Name></ram:SpecifiedTradeProduct>
      <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${amount(line.unitCents)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${line.quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
      <ram:SpecifiedLineTradeSettlement>
        <ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>${line.vatPercent}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
        <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount(lineCents(line))}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
      </ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>`;
}

function party({ name, address, vatId }: Party): string {
  const [street = '', town = ''] = address;
  const [postcode, ...city] = town.split(' ');
  return `<ram:Name>${escaped(name)}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>${postcode}</ram:PostcodeCode><ram:LineOne>${escaped(street)}</ram:LineOne><ram:CityName>${city.join(' ')}</ram:CityName><ram:CountryID>${vatId.slice(0, 2)}</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vatId}</ram:ID></ram:SpecifiedTaxRegistration>`;
}

function settlement(invoice: Invoice): string {
  const { seller, currency } = invoice;
  const { vat, netCents, vatCents, grossCents } = totals(invoice);
  const taxes = vat.map(
    (rate) =>
      `      <ram:ApplicableTradeTax><ram:CalculatedAmount>${amount(rate.vatCents)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>${amount(rate.baseCents)}</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>${rate.percent}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`,
  );
  return `    <ram:ApplicableHeaderTradeSettlement>
      <ram:PaymentReference>${invoice.number}</ram:PaymentReference>
      <ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${seller.iban}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>${seller.bic}</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution></ram:SpecifiedTradeSettlementPaymentMeans>
${taxes.join('\n')}
      <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${date(invoice.due)}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:LineTotalAmount>${amount(netCents)}</ram:LineTotalAmount>
        <ram:TaxBasisTotalAmount>${amount(netCents)}</ram:TaxBasisTotalAmount>
        <ram:TaxTotalAmount currencyID="${currency}">${amount(vatCents)}</ram:TaxTotalAmount>
        <ram:GrandTotalAmount>${amount(grossCents)}</ram:GrandTotalAmount>
        <ram:DuePayableAmount>${amount(grossCents)}</ram:DuePayableAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>`;
}

const amount = (cents: number) => (cents / 100).toFixed(2);
const date = (iso: string) =>
  `<udt:DateTimeString format="102">${iso.replaceAll('-', '')}</udt:DateTimeString>`;
const escaped = (text: string) => text.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
