/**
 * Wording and number formats of invoices by language. Intl is not used because the standard PDF
 * fonts lack its narrow spaces.
 */
export interface Words {
  title: string;
  invoiceNumber: string;
  issued: string;
  delivered: string;
  due: string;
  billTo: string;
  vatId: string;
  text: string;
  quantity: string;
  unitPrice: string;
  vat: string;
  amount: string;
  net: string;
  gross: string;
  base: string;
  payTo: string;
  money(cents: number): string;
  number(value: number): string;
  date(iso: string): string;
}

const grouped = (cents: number, point: string, group: string) =>
  (cents / 100)
    .toFixed(2)
    .replace('.', '!')
    .replace(/\B(?=(\d{3})+!)/g, group)
    .replace('!', point);
const comma = (value: number) => String(value).replace('.', ',');
const dotted = (iso: string) => iso.split('-').reverse().join('.');
const slashed = (iso: string) => iso.split('-').reverse().join('/');
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
];

export const english: Words = {
  title: 'INVOICE',
  invoiceNumber: 'Invoice number',
  issued: 'Invoice date',
  delivered: 'Date of supply',
  due: 'Payment due',
  billTo: 'Bill to',
  vatId: 'VAT reg. no.',
  text: 'Description',
  quantity: 'Qty',
  unitPrice: 'Unit price',
  vat: 'VAT',
  amount: 'Amount',
  net: 'Subtotal',
  gross: 'Total due',
  base: 'on',
  payTo: 'Please pay to',
  money: (cents) => `£${grouped(cents, '.', ',')}`,
  number: String,
  date: (iso) =>
    `${Number(iso.slice(8))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`,
};

export const german: Words = {
  title: 'Rechnung',
  invoiceNumber: 'Rechnungsnummer',
  issued: 'Rechnungsdatum',
  delivered: 'Leistungsdatum',
  due: 'Zahlbar bis',
  billTo: 'Rechnungsempfänger',
  vatId: 'USt-IdNr.',
  text: 'Bezeichnung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  vat: 'USt.',
  amount: 'Betrag',
  net: 'Summe netto',
  gross: 'Gesamtbetrag',
  base: 'auf',
  payTo: 'Bankverbindung',
  money: (cents) => `${grouped(cents, ',', '.')} €`,
  number: comma,
  date: dotted,
};

export const french: Words = {
  title: 'FACTURE',
  invoiceNumber: 'Facture n°',
  issued: 'Date de facturation',
  delivered: 'Date de livraison',
  due: 'Échéance',
  billTo: 'Facturé à',
  vatId: 'N° TVA intracom.',
  text: 'Désignation',
  quantity: 'Qté',
  unitPrice: 'Prix unitaire',
  vat: 'TVA',
  amount: 'Montant HT',
  net: 'Total HT',
  gross: 'Total TTC',
  base: 'sur',
  payTo: 'Règlement par virement',
  money: (cents) => `${grouped(cents, ',', ' ')} €`,
  number: comma,
  date: slashed,
};

export const spanish: Words = {
  title: 'FACTURA',
  invoiceNumber: 'Factura n.º',
  issued: 'Fecha de factura',
  delivered: 'Fecha de entrega',
  due: 'Vencimiento',
  billTo: 'Cliente',
  vatId: 'NIF',
  text: 'Descripción',
  quantity: 'Cant.',
  unitPrice: 'Precio unitario',
  vat: 'IVA',
  amount: 'Importe',
  net: 'Base imponible',
  gross: 'Total a pagar',
  base: 'sobre',
  payTo: 'Forma de pago: transferencia',
  money: (cents) => `${grouped(cents, ',', '.')} €`,
  number: comma,
  date: slashed,
};

export const swedish: Words = {
  title: 'Faktura',
  invoiceNumber: 'Fakturanummer',
  issued: 'Fakturadatum',
  delivered: 'Leveransdatum',
  due: 'Förfallodatum',
  billTo: 'Kund',
  vatId: 'Momsreg.nr',
  text: 'Benämning',
  quantity: 'Antal',
  unitPrice: 'À-pris',
  vat: 'Moms',
  amount: 'Belopp',
  net: 'Summa exkl. moms',
  gross: 'Att betala',
  base: 'på',
  payTo: 'Betalas till',
  money: (cents) => `${grouped(cents, ',', ' ')} kr`,
  number: comma,
  date: (iso) => iso,
};
