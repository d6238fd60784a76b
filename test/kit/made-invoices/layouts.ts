import type { Invoice } from './invoice.ts';
import type { Sheet } from './sheet.ts';

type Layout = (sheet: Sheet, invoice: Invoice) => void;

const [left, right, middle] = [50, 545, 330];

/**
 * Layouts found on real invoices. They differ in where the two parties are printed and how they are
 * labelled.
 */
export const layouts = {
  /**
   * The seller's name large at the top, the buyer below under a label, the references to the right.
   */
  letterhead(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.put(left, 40, seller.name, 18);
    sheet.putLines(left, 66, [...seller.address, phone, vatIdOf(invoice)], 9);
    sheet.putRight(right, 42, say.title, 16);
    sheet.putLines(left, 140, [
      `${say.buyer}:`,
      buyer.name,
      ...invoice.attention,
      ...buyer.address,
    ]);
    references(sheet, invoice, middle, 140);
    body(sheet, invoice, 240);
    foot(sheet, [...invoice.delivery, bankOf(invoice)]);
  },

  /**
   * A letter for a window envelope: the sender on one small line, the buyer below without a label.
   */
  window(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.putRight(right, 36, seller.name, 15);
    sheet.put(left, 120, [seller.name, ...seller.address].join(' · '), 7);
    sheet.putLines(left, 134, [buyer.name, ...invoice.attention, ...buyer.address]);
    references(sheet, invoice, 360, 134);
    sheet.put(left, 225, `${say.title} ${invoice.number}`, 14);
    body(sheet, invoice, 255);
    foot(sheet, [`${seller.name}  ${phone}`, vatIdOf(invoice), bankOf(invoice)]);
  },

  /** Seller and buyer side by side, each under its label. */
  sideBySide(sheet, invoice) {
    const { seller, buyer, say } = invoice;
    sheet.put(left, 40, say.title, 20);
    references(sheet, invoice, left, 74);
    sheet.put(left, 140, say.seller, 9);
    sheet.putLines(left, 154, [seller.name, ...seller.address, vatIdOf(invoice)]);
    sheet.put(middle, 140, say.buyer, 9);
    sheet.putLines(middle, 154, [
      buyer.name,
      ...invoice.attention,
      ...buyer.address,
      vatIdOf(invoice, buyer.vatId),
    ]);
    body(sheet, invoice, 250);
    foot(sheet, [...invoice.delivery, bankOf(invoice)]);
  },

  /** The seller on the left, the buyer on the right and lower, without labels. */
  opposite(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.putLines(left, 40, [seller.name, ...seller.address, phone, vatIdOf(invoice)]);
    sheet.putLines(middle, 110, [buyer.name, ...invoice.attention, ...buyer.address], 11);
    sheet.put(left, 190, say.title, 15);
    references(sheet, invoice, left, 215);
    body(sheet, invoice, 290);
    foot(sheet, [bankOf(invoice), vatIdOf(invoice)]);
  },

  /** Everything centred, as shops print it, with the buyer under a label on the left. */
  centred(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.putCentred(38, seller.name, 16);
    sheet.putCentred(60, seller.address.join(', '), 9);
    sheet.putCentred(73, `${phone}  ${vatIdOf(invoice)}`, 9);
    sheet.putCentred(100, say.title, 14);
    sheet.putLines(left, 130, [say.buyer, buyer.name, ...buyer.address]);
    sheet.putLines(middle, 130, invoice.delivery);
    headed(sheet, invoice, 205);
    body(sheet, invoice, 255);
    foot(sheet, [bankOf(invoice)]);
  },

  /** The buyer first; the seller in a narrow column to the right with all its numbers. */
  sidebar(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.putLines(
      410,
      90,
      [seller.name, ...seller.address, phone, vatIdOf(invoice), `IBAN ${invoice.iban}`],
      8,
    );
    sheet.putLines(left, 60, [buyer.name, ...invoice.attention, ...buyer.address]);
    sheet.put(left, 170, `${say.title} ${invoice.number}`, 16);
    headed(sheet, invoice, 200);
    body(sheet, invoice, 250);
    foot(sheet, []);
  },

  /** A name as the logo. The legal name is in the footer, with the numbers. */
  footer(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    sheet.put(left, 34, seller.name.split(' ').slice(0, 2).join(' '), 22);
    sheet.putLines(left, 130, [say.buyer, buyer.name, ...invoice.attention, ...buyer.address]);
    references(sheet, invoice, middle, 130);
    sheet.put(left, 225, say.title, 14);
    body(sheet, invoice, 255);
    sheet.putLines(left, 780, [seller.name, ...seller.address], 8);
    sheet.putLines(230, 780, [phone, vatIdOf(invoice)], 8);
    sheet.putLines(400, 780, ['IBAN', invoice.iban], 8);
  },

  /** A form: each party on one line after its label. */
  form(sheet, invoice) {
    const { seller, buyer, say } = invoice;
    sheet.putCentred(40, say.title, 16);
    const rows = [
      [say.seller, [seller.name, ...seller.address].join(', ')],
      [invoice.wording.vatId, seller.vatId],
      [say.buyer, [buyer.name, ...buyer.address].join(', ')],
    ];
    for (const [i, [label, value]] of rows.entries()) {
      sheet.put(left, 80 + i * 18, `${label}:`);
      sheet.put(200, 80 + i * 18, String(value));
    }
    references(sheet, invoice, left, 150);
    body(sheet, invoice, 220);
    foot(sheet, [bankOf(invoice)]);
  },

  /**
   * The seller right-aligned in a block on the right, the buyer on the left, both at the same
   * height.
   */
  mirrored(sheet, invoice) {
    const { seller, buyer, say, phone } = invoice;
    const lines = [seller.name, ...seller.address, phone, vatIdOf(invoice), bankOf(invoice)];
    for (const [i, line] of lines.entries()) sheet.putRight(right, 40 + i * 13, line, 9);
    sheet.putLines(left, 40, [say.buyer, buyer.name, ...invoice.attention, ...buyer.address]);
    sheet.put(left, 160, say.title, 18);
    references(sheet, invoice, left, 190);
    body(sheet, invoice, 260);
    foot(sheet, invoice.delivery);
  },
} as const satisfies Record<string, Layout>;

function vatIdOf({ wording, seller }: Invoice, id = seller.vatId): string {
  return `${wording.vatId} ${id}`;
}

function bankOf({ iban }: Invoice): string {
  return `IBAN ${iban}`;
}

/** Number, date and due date, each with a label beside it. */
function references(
  sheet: Sheet,
  { say, number, issued, due }: Invoice,
  at: number,
  top: number,
): void {
  const rows = [
    [say.number, number],
    [say.date, issued],
    ...(due.date ? [[say.due, due.date]] : []),
  ];
  for (const [i, [label = '', value = '']] of rows.entries()) {
    sheet.put(at, top + i * 14, `${label}:`);
    sheet.put(at + 125, top + i * 14, value);
  }
}

/** The same as a row of labels over a row of values. */
function headed(sheet: Sheet, { say, number, issued, due }: Invoice, top: number): void {
  const columns = [
    [say.number, number],
    [say.date, issued],
    ...(due.date ? [[say.due, due.date]] : []),
  ];
  for (const [i, [label = '', value = '']] of columns.entries()) {
    sheet.put(left + i * 170, top, label, 9);
    sheet.put(left + i * 170, top + 13, value);
  }
}

function body(
  sheet: Sheet,
  { wording, items, net, vat, gross, say, due }: Invoice,
  top: number,
): void {
  const [what, quantity, price, amount] = wording.columns;
  row(sheet, top, [what, quantity, price, amount]);
  for (const [i, item] of items.entries())
    row(sheet, top + 20 + i * 16, [item.text, String(item.quantity), item.price, item.amount]);
  const end = top + 40 + items.length * 16;
  for (const [i, [label, sum]] of [
    [say.net, net] as const,
    [vat.label, vat.amount],
    [say.gross, gross],
  ].entries()) {
    sheet.put(340, end + i * 16, String(label));
    sheet.putRight(right, end + i * 16, String(sum));
  }
  if (due.terms) sheet.put(left, end + 70, `${due.terms}.`);
}

function row(sheet: Sheet, top: number, [what, quantity, price, amount]: readonly string[]): void {
  sheet.put(left, top, what ?? '');
  sheet.putRight(350, top, quantity ?? '');
  sheet.putRight(450, top, price ?? '');
  sheet.putRight(right, top, amount ?? '');
}

function foot(sheet: Sheet, lines: readonly string[]): void {
  sheet.putLines(left, 760, lines, 8);
}
