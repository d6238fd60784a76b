import { type Invoice, lineCents, totals } from './invoice.ts';
import { type Colour, ink, type Sheet } from './sheet.ts';
import type { Words } from './words.ts';

export interface Look {
  accent: Colour;
  /** A coloured band with the name across the top, or a plain letterhead. */
  band: boolean;
  shaded: boolean;
}

const LEFT = 56;
const RIGHT = 539;
const grey: Colour = [0.42, 0.42, 0.45];
const white: Colour = [1, 1, 1];

/** An invoice as a business of that country would print it. */
export function drawInvoice(sheet: Sheet, invoice: Invoice, words: Words, look: Look): void {
  letterhead(sheet, invoice, look);
  addresses(sheet, invoice, words, look);
  const end = table(sheet, invoice, words, look);
  const bottom = sums(sheet, invoice, words, look, end + 14);
  closing(sheet, invoice, words, bottom + 34);
}

function letterhead(sheet: Sheet, { seller }: Invoice, { accent, band }: Look): void {
  if (band) sheet.box(0, 0, sheet.width, 74, accent);
  else sheet.rule(LEFT, 84, RIGHT - LEFT, 1.2, accent);
  const colour = band ? white : accent;
  sheet.text(LEFT, 47, seller.name, { size: 19, bold: true, colour });
  for (const [i, line] of seller.address.entries()) {
    sheet.text(RIGHT, 30 + i * 12, line, {
      size: 8.5,
      align: 'right',
      colour: band ? white : grey,
    });
  }
}

function addresses(sheet: Sheet, invoice: Invoice, words: Words, { accent }: Look): void {
  const { buyer, seller } = invoice;
  sheet.text(LEFT, 122, words.billTo, { size: 8, colour: grey });
  sheet.text(LEFT, 138, buyer.name, { size: 10.5, bold: true });
  for (const [i, line] of [...buyer.address, `${words.vatId} ${buyer.vatId}`].entries()) {
    sheet.text(LEFT, 153 + i * 13, line, { size: 10 });
  }
  sheet.text(LEFT, 244, words.title, { size: 20, bold: true, colour: accent });
  const facts = [
    [words.invoiceNumber, invoice.number],
    [words.issued, words.date(invoice.issued)],
    [words.delivered, words.date(invoice.delivered)],
    [words.due, words.date(invoice.due)],
    [words.vatId, seller.vatId],
  ] as const;
  for (const [i, [label, value]] of facts.entries()) {
    sheet.text(352, 138 + i * 15, label, { size: 9.5, colour: grey });
    sheet.text(RIGHT, 138 + i * 15, value, { size: 10, bold: i === 0, align: 'right' });
  }
}

const columns = { quantity: 338, unitPrice: 418, vat: 462, amount: RIGHT - 6 };

function table(sheet: Sheet, invoice: Invoice, words: Words, { accent, shaded }: Look): number {
  const top = 272;
  if (shaded) sheet.box(LEFT, top, RIGHT - LEFT, 20, accent);
  const heading = { size: 9, bold: true, colour: shaded ? white : ink };
  sheet.text(LEFT + 6, top + 13.5, words.text, heading);
  for (const column of ['quantity', 'unitPrice', 'vat', 'amount'] as const) {
    sheet.text(columns[column], top + 13.5, words[column], { ...heading, align: 'right' });
  }
  sheet.rule(LEFT, top + 20, RIGHT - LEFT, 0.8, accent);
  for (const [i, line] of invoice.lines.entries()) {
    const y = top + 38 + i * 22;
    sheet.text(LEFT + 6, y, line.text, { size: 10 });
    sheet.text(columns.quantity, y, `${words.number(line.quantity)} ${line.unit}`, {
      size: 10,
      align: 'right',
    });
    sheet.text(columns.unitPrice, y, words.money(line.unitCents), { size: 10, align: 'right' });
    sheet.text(columns.vat, y, `${words.number(line.vatPercent)} %`, { size: 10, align: 'right' });
    sheet.text(columns.amount, y, words.money(lineCents(line)), { size: 10, align: 'right' });
    sheet.rule(LEFT, y + 7, RIGHT - LEFT, 0.3, [0.75, 0.75, 0.78]);
  }
  return top + 38 + invoice.lines.length * 22;
}

function sums(sheet: Sheet, invoice: Invoice, words: Words, { accent }: Look, top: number): number {
  const { vat, netCents, grossCents } = totals(invoice);
  const rows = [
    [words.net, netCents],
    ...vat.map(
      (rate) =>
        [
          `${words.vat} ${words.number(rate.percent)} % ${words.base} ${words.money(rate.baseCents)}`,
          rate.vatCents,
        ] as const,
    ),
  ] as const;
  for (const [i, [label, cents]] of rows.entries()) {
    sheet.text(330, top + i * 16, label, { size: 10 });
    sheet.text(columns.amount, top + i * 16, words.money(cents), { size: 10, align: 'right' });
  }
  const y = top + rows.length * 16 + 8;
  sheet.rule(330, y - 13, RIGHT - 330, 1, accent);
  sheet.text(330, y + 2, words.gross, { size: 12, bold: true });
  sheet.text(columns.amount, y + 2, words.money(grossCents), {
    size: 12,
    bold: true,
    align: 'right',
  });
  sheet.rule(330, y + 9, RIGHT - 330, 1, accent);
  return y;
}

function closing(sheet: Sheet, { seller, note }: Invoice, words: Words, top: number): void {
  sheet.text(LEFT, top, words.payTo, { size: 10, bold: true });
  const account = [seller.bank, `IBAN ${spaced(seller.iban)}`, `BIC ${seller.bic}`];
  for (const [i, line] of account.entries())
    sheet.text(LEFT, top + 15 + i * 13, line, { size: 10 });
  sheet.text(LEFT, top + 74, note, { size: 10 });
  sheet.rule(LEFT, 786, RIGHT - LEFT, 0.4, grey);
  const footer = [
    seller.name,
    ...seller.address.slice(0, 2),
    `${words.vatId} ${seller.vatId}`,
  ].join(' · ');
  sheet.text(sheet.width / 2, 800, footer, { size: 7.5, align: 'centre', colour: grey });
  sheet.text(sheet.width / 2, 811, seller.contact, { size: 7.5, align: 'centre', colour: grey });
}

function spaced(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}
