import { StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { type Paper, picture, print, shaded } from './paper.ts';
import { randomNumbers } from './random.ts';
import { addSheet, newDocument, type Sheet } from './sheet.ts';

interface Item {
  text: string;
  quantity: number;
  cents: number;
}

export const bill: { items: Item[]; vatPercent: number; cashCents: number } = {
  items: [
    { text: 'Caffè espresso', quantity: 2, cents: 130 },
    { text: 'Cornetto alla crema', quantity: 2, cents: 160 },
    { text: 'Spremuta d’arancia', quantity: 1, cents: 420 },
    { text: 'Panino caprese', quantity: 1, cents: 590 },
    { text: 'Acqua naturale 0,5 l', quantity: 1, cents: 170 },
  ],
  vatPercent: 10,
  cashCents: 2000,
};

/** The total, and the VAT included in it. */
export function receiptTotals({ items, vatPercent, cashCents } = bill) {
  const totalCents = items.reduce((total, { quantity, cents }) => total + quantity * cents, 0);
  const vatCents = Math.round((totalCents * vatPercent) / (100 + vatPercent));
  return { totalCents, vatCents, changeCents: cashCents - totalCents };
}

/** A receipt photographed with a phone: skewed, warm light, brighter on one side. */
export async function receipt(): Promise<Uint8Array> {
  const printed = await newDocument('', '');
  const fonts = { regular: StandardFonts.Courier, bold: StandardFonts.CourierBold };
  drawReceipt(await addSheet(printed, fonts, [226, 430]));
  const [paper] = await print(await printed.save(), 230);
  if (!paper) throw new Error('The PDF has no page');
  return photograph(paper);
}

const money = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');

function drawReceipt(sheet: Sheet): void {
  const middle = sheet.width / 2;
  const heading = [
    'BAR PASTICCERIA',
    'DA ZOË',
    'di Niccolò Fèrrani',
    'Via dell’Università 9',
    '99042 Montelùpo (ZZ)',
  ];
  for (const [i, line] of [...heading, 'P.IVA 09876540122'].entries()) {
    sheet.text(middle, 32 + i * 14, line, { size: i < 2 ? 13 : 10, bold: i < 2, align: 'centre' });
  }
  sheet.text(middle, 136, 'DOCUMENTO COMMERCIALE', { size: 10, bold: true, align: 'centre' });
  sheet.text(middle, 149, 'di vendita o prestazione', { size: 9, align: 'centre' });
  const row = (y: number, left: string, right: string, bold = false, size = 9.5) => {
    sheet.text(14, y, left, { size, bold });
    sheet.text(sheet.width - 14, y, right, { size, bold, align: 'right' });
  };
  sheet.rule(14, 160, sheet.width - 28, 0.7);
  for (const [i, { text, quantity, cents }] of bill.items.entries()) {
    row(176 + i * 16, `${quantity} x ${text}`, money(quantity * cents));
  }
  const { totalCents, vatCents, changeCents } = receiptTotals();
  sheet.rule(14, 252, sheet.width - 28, 0.7);
  row(272, 'TOTALE EURO', money(totalCents), true, 13);
  row(289, `di cui IVA ${bill.vatPercent}%`, money(vatCents));
  row(311, 'Contanti', money(bill.cashCents));
  row(326, 'Resto', money(changeCents));
  sheet.rule(14, 338, sheet.width - 28, 0.7);
  row(354, '14/03/2026 10:47', 'DOC. N. 0412-0036');
  sheet.text(middle, 384, 'Grazie e arrivederci!', { size: 10.5, align: 'centre' });
  sheet.text(middle, 400, 'Servizio: Andrea  Cassa 1', { size: 9, align: 'centre' });
}

const table = { width: 940, height: 1520 };

async function photograph(paper: Paper): Promise<Buffer> {
  const random = randomNumbers(3);
  const worn = shaded(
    paper,
    (value, x) => 38 + value * 0.81 + 5 * (random() - 0.5) + 6 * Math.sin(x / 90),
  );
  const tilted = await picture(worn)
    .toColourspace('srgb')
    .ensureAlpha()
    .rotate(-2.2, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
  const background = { r: 104, g: 74, b: 52 };
  const laid = await sharp({ create: { ...table, channels: 3, background } })
    .composite([{ input: tilted, gravity: 'centre' }])
    .png()
    .toBuffer();
  return sharp(laid)
    .composite([{ input: await light(), blend: 'multiply' }])
    .blur(0.7)
    .linear([1, 0.96, 0.88], [0, 0, 0])
    .jpeg({ quality: 62, mozjpeg: true })
    .toBuffer();
}

/** Light from a window at the upper left, and a shadow in the lower right corner. */
function light(): Promise<Buffer> {
  const blank = { data: Buffer.alloc(table.width * table.height), ...table };
  const lit = shaded(blank, (_, x, y) => {
    const away = Math.hypot(x / table.width - 0.25, y / table.height - 0.2);
    return 255 - 105 * Math.min(1, away) ** 1.4;
  });
  return picture(lit).toColourspace('srgb').png().toBuffer();
}
