import { type EInvoice, type EInvoiceLine, surcharge, withSurcharges } from './invoice.ts';
import { addressAt, dateAt, numberAt, parseNumber } from './values.ts';
import { nodesAt, ownText, readAttribute, textAt, type XmlNode } from './xml.ts';

/** OASIS UBL 2: Invoice and CreditNote, as in Peppol BIS and XRechnung. */
export function readUbl(root: XmlNode): EInvoice {
  const [seller = {}] = nodesAt(root, 'AccountingSupplierParty/Party');
  const [buyer = {}] = nodesAt(root, 'AccountingCustomerParty/Party');
  const [totals = {}] = nodesAt(root, 'LegalMonetaryTotal');
  const currency = textAt(root, 'DocumentCurrencyCode');
  return {
    invoice_number: textAt(root, 'ID'),
    invoice_date: dateAt(root, 'IssueDate'),
    due_date: dateAt(root, 'DueDate', 'PaymentMeans/PaymentDueDate', 'PaymentTerms/PaymentDueDate'),
    supplier_name: partyName(seller),
    supplier_address: addressAt(seller, 'PostalAddress', addressParts),
    supplier_vat_id: vatId(seller),
    buyer_name: partyName(buyer),
    buyer_address: addressAt(buyer, 'PostalAddress', addressParts),
    currency,
    line_items: withSurcharges(
      [...nodesAt(root, 'InvoiceLine'), ...nodesAt(root, 'CreditNoteLine')].map(readLine),
      nodesAt(root, 'AllowanceCharge').map(readAllowance),
    ),
    subtotal: numberAt(totals, 'TaxExclusiveAmount', 'LineExtensionAmount'),
    vat_amount: taxIn(root, currency),
    total: numberAt(totals, 'TaxInclusiveAmount', 'PayableAmount'),
    iban: textAt(root, 'PaymentMeans/PayeeFinancialAccount/ID'),
    purchase_order: textAt(root, 'OrderReference/ID'),
  };
}

const addressParts = [
  'StreetName',
  'BuildingNumber',
  'AdditionalStreetName',
  'PostalZone',
  'CityName',
  'Country/IdentificationCode',
];

function partyName(party: XmlNode): string | undefined {
  return textAt(party, 'PartyLegalEntity/RegistrationName', 'PartyName/Name');
}

/** The tax may be stated a second time, in the currency of the tax authority. */
function taxIn(root: XmlNode, currency: string | undefined): number | undefined {
  const taxes = nodesAt(root, 'TaxTotal/TaxAmount');
  const own = taxes.find((tax) => readAttribute(tax, 'currencyID') === currency) ?? taxes[0];
  return own && parseNumber(ownText(own));
}

function vatId(party: XmlNode): string | undefined {
  const schemes = nodesAt(party, 'PartyTaxScheme');
  const vat = schemes.find((scheme) => textAt(scheme, 'TaxScheme/ID') === 'VAT') ?? schemes[0];
  return vat && textAt(vat, 'CompanyID');
}

function readAllowance(allowance: XmlNode): EInvoiceLine {
  return surcharge({
    description: textAt(allowance, 'AllowanceChargeReason'),
    vatRate: numberAt(allowance, 'TaxCategory/Percent'),
    amount: numberAt(allowance, 'Amount'),
    isCharge: textAt(allowance, 'ChargeIndicator') === 'true',
  });
}

function readLine(line: XmlNode): EInvoiceLine {
  return {
    description: textAt(line, 'Item/Name', 'Item/Description'),
    quantity: numberAt(line, 'InvoicedQuantity', 'CreditedQuantity'),
    unit_price: numberAt(line, 'Price/PriceAmount'),
    vat_rate: numberAt(line, 'Item/ClassifiedTaxCategory/Percent'),
    amount: numberAt(line, 'LineExtensionAmount'),
  };
}
