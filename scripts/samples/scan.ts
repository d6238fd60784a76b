import { StandardFonts } from '@cantoo/pdf-lib';
import { valoreille } from './companies.ts';
import { drawInvoice } from './invoice-page.ts';
import { developed, picture, print, shaded } from './paper.ts';
import { randomNumbers } from './random.ts';
import { addSheet, newDocument } from './sheet.ts';
import { french } from './words.ts';

const DPI = 200;

/** A page from an office scanner: one grey image, skewed and grainy, without a text layer. */
export async function scan(): Promise<Uint8Array> {
  const printed = await newDocument('', '');
  const sheet = await addSheet(printed, {
    regular: StandardFonts.TimesRoman,
    bold: StandardFonts.TimesRomanBold,
  });
  drawInvoice(sheet, valoreille, french, { accent: [0.1, 0.1, 0.3], band: false, shaded: false });
  const [page] = await print(await printed.save(), DPI);
  if (!page) throw new Error('The PDF has no page');

  const tilted = await developed(
    picture(page)
      .rotate(0.6, { background: '#fff' })
      .resize({ width: page.width, height: page.height, fit: 'cover' })
      .blur(0.5),
  );
  const random = randomNumbers(1);
  const grainy = shaded(
    tilted,
    (value, x) => value * 0.86 + 24 + 4 * Math.sin(x / 300) + 9 * (random() + random() - 1),
  );
  const jpeg = await picture(grainy)
    .toColourspace('b-w')
    .jpeg({ quality: 42, mozjpeg: true })
    .toBuffer();

  const document = await newDocument('Scan 2026-01-30', 'Scanner');
  const image = await document.embedJpg(jpeg);
  document.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
  return document.save();
}
