import { type EInvoice, type EInvoiceLine, surcharge, withSurcharges } from './invoice.ts';
import { addressAt, dateAt, numberAt, parseNumber } from './values.ts';
import { nodesAt, ownText, readAttribute, textAt, type XmlNode } from './xml.ts';

/**
 * UN/CEFACT Cross Industry Invoice: Factur-X, ZUGFeRD 2 and XRechnung CII. ZUGFeRD 1 has the same
 * structure with different element names.
 */
export function readCii(root: XmlNode): EInvoice {
  const [header = {}] = [
    ...nodesAt(root, 'ExchangedDocument'),
    ...nodesAt(root, 'HeaderExchangedDocument'),
  ];
  const [trade = {}] = [
    ...nodesAt(root, 'SupplyChainTradeTransaction'),
    ...nodesAt(root, 'SpecifiedSupplyChainTradeTransaction'),
  ];
  const agreement = part(trade, 'Agreement');
  const settlement = part(trade, 'Settlement');
  const [seller = {}] = nodesAt(agreement, 'SellerTradeParty');
  const [buyer = {}] = nodesAt(agreement, 'BuyerTradeParty');
  const currency = textAt(settlement, 'InvoiceCurrencyCode');
  const totals = summation(settlement);
  return {
    invoice_number: textAt(header, 'ID'),
    invoice_date: dateAt(header, 'IssueDateTime/DateTimeString', 'IssueDateTime'),
    due_date: dateAt(settlement, ...dueDates),
    supplier_name: textAt(seller, 'Name', 'SpecifiedLegalOrganization/TradingBusinessName'),
    supplier_address: addressAt(seller, 'PostalTradeAddress', addressParts),
    supplier_vat_id: vatId(seller),
    buyer_name: textAt(buyer, 'Name', 'SpecifiedLegalOrganization/TradingBusinessName'),
    buyer_address: addressAt(buyer, 'PostalTradeAddress', addressParts),
    currency,
    line_items: withSurcharges(
      nodesAt(trade, 'IncludedSupplyChainTradeLineItem').filter(isBilled).map(readLine),
      [
        ...nodesAt(settlement, 'SpecifiedTradeAllowanceCharge').map(readAllowance),
        ...nodesAt(settlement, 'SpecifiedLogisticsServiceCharge').map(readFreight),
      ],
    ),
    subtotal: numberAt(totals, 'TaxBasisTotalAmount', 'LineTotalAmount'),
    vat_amount: taxIn(totals, currency),
    total: numberAt(totals, 'GrandTotalAmount'),
    iban: textAt(
      settlement,
      'SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID',
    ),
    purchase_order: textAt(
      agreement,
      'BuyerOrderReferencedDocument/IssuerAssignedID',
      'BuyerOrderReferencedDocument/ID',
    ),
  };
}

const addressParts = ['LineOne', 'LineTwo', 'LineThree', 'PostcodeCode', 'CityName', 'CountryID'];
const dueDates = [
  'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString',
  'SpecifiedTradePaymentTerms/DueDateDateTime',
];

function part(trade: XmlNode, name: string): XmlNode {
  const names = [`ApplicableHeaderTrade${name}`, `ApplicableSupplyChainTrade${name}`];
  const [found = {}] = names.flatMap((path) => nodesAt(trade, path));
  return found;
}

function summation(settlement: XmlNode): XmlNode {
  const [found = {}] = [
    ...nodesAt(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation'),
    ...nodesAt(settlement, 'SpecifiedTradeSettlementMonetarySummation'),
  ];
  return found;
}

/** The tax may be stated a second time, in the currency of the tax authority. */
function taxIn(totals: XmlNode, currency: string | undefined): number | undefined {
  const taxes = nodesAt(totals, 'TaxTotalAmount');
  const own = taxes.find((tax) => readAttribute(tax, 'currencyID') === currency) ?? taxes[0];
  return own && parseNumber(ownText(own));
}

function vatId(party: XmlNode): string | undefined {
  const ids = nodesAt(party, 'SpecifiedTaxRegistration/ID');
  const vat = ids.find((id) => readAttribute(id, 'schemeID') === 'VA') ?? ids[0];
  return vat && ownText(vat);
}

/** Lines that only group other lines or give information are not billed. */
function isBilled(line: XmlNode): boolean {
  const status = textAt(line, 'AssociatedDocumentLineDocument/LineStatusReasonCode');
  return status !== 'GROUP' && status !== 'INFORMATION';
}

function readAllowance(allowance: XmlNode): EInvoiceLine {
  return surcharge({
    description: textAt(allowance, 'Reason'),
    vatRate: numberAt(
      allowance,
      'CategoryTradeTax/RateApplicablePercent',
      'CategoryTradeTax/ApplicablePercent',
    ),
    amount: numberAt(allowance, 'ActualAmount'),
    isCharge: textAt(allowance, 'ChargeIndicator/Indicator', 'ChargeIndicator') === 'true',
  });
}

function readFreight(charge: XmlNode): EInvoiceLine {
  return surcharge({
    description: textAt(charge, 'Description'),
    vatRate: numberAt(
      charge,
      'AppliedTradeTax/RateApplicablePercent',
      'AppliedTradeTax/ApplicablePercent',
    ),
    amount: numberAt(charge, 'AppliedAmount'),
    isCharge: true,
  });
}

function readLine(line: XmlNode): EInvoiceLine {
  const [agreement = {}] = either(line, 'TradeAgreement');
  const [delivery = {}] = either(line, 'TradeDelivery');
  const [settlement = {}] = either(line, 'TradeSettlement');
  return {
    description: textAt(line, 'SpecifiedTradeProduct/Name', 'SpecifiedTradeProduct/Description'),
    quantity: numberAt(delivery, 'BilledQuantity'),
    unit_price: numberAt(
      agreement,
      'NetPriceProductTradePrice/ChargeAmount',
      'GrossPriceProductTradePrice/ChargeAmount',
    ),
    vat_rate: numberAt(
      settlement,
      'ApplicableTradeTax/RateApplicablePercent',
      'ApplicableTradeTax/ApplicablePercent',
    ),
    amount: numberAt(settlement, ...lineTotals),
  };
}

const lineTotals = [
  'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
  'SpecifiedTradeSettlementMonetarySummation/LineTotalAmount',
];

function either(line: XmlNode, name: string): XmlNode[] {
  return [
    ...nodesAt(line, `SpecifiedLine${name}`),
    ...nodesAt(line, `SpecifiedSupplyChain${name}`),
  ];
}
