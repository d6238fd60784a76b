import { StandardFonts } from '@cantoo/pdf-lib';
import { naranjo } from './companies.ts';
import { drawInvoice } from './invoice-page.ts';
import { picture, print, shaded } from './paper.ts';
import { randomNumbers } from './random.ts';
import { addSheet, newDocument } from './sheet.ts';
import { spanish } from './words.ts';

const DPI = 144;
const SPECKS = 0.09;

/** A copy of a fax: coarse and full of specks. It is legible once cleaned and enlarged. */
export async function poorScan(): Promise<Uint8Array> {
  const printed = await newDocument('', '');
  const sheet = await addSheet(printed, {
    regular: StandardFonts.HelveticaBold,
    bold: StandardFonts.HelveticaBold,
  });
  drawInvoice(sheet, naranjo, spanish, { accent: [0, 0, 0], band: false, shaded: false });
  const [page] = await print(await printed.save(), DPI);
  if (!page) throw new Error('The PDF has no page');
  const random = randomNumbers(2);
  const specked = shaded(page, (value) => {
    const chance = random();
    if (chance < SPECKS / 2) return 0;
    if (chance < SPECKS) return 255;
    return Math.round(value / 17) * 17;
  });
  return picture(specked)
    .toColourspace('b-w')
    .withDensity(DPI)
    .png({ compressionLevel: 9 })
    .toBuffer();
}
