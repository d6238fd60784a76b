import { StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { bjorklund } from './companies.ts';
import { drawInvoice } from './invoice-page.ts';
import { print } from './paper.ts';
import { addSheet, newDocument, type Sheet } from './sheet.ts';
import { swedish } from './words.ts';

const DPI = 200;

/**
 * Three black and white pages in one file, as produced by a fax server or a copier: invoice,
 * delivery note, terms.
 */
export async function pagesTiff(): Promise<Uint8Array> {
  const printed = await newDocument('', '');
  const fonts = { regular: StandardFonts.Helvetica, bold: StandardFonts.HelveticaBold };
  drawInvoice(await addSheet(printed, fonts), bjorklund, swedish, {
    accent: [0, 0, 0],
    band: false,
    shaded: false,
  });
  drawDeliveryNote(await addSheet(printed, fonts));
  drawTerms(await addSheet(printed, fonts));
  const pages = await print(await printed.save(), DPI);
  const { width = 0, height = 0 } = pages[0] ?? {};
  const strip = Buffer.concat(pages.map((page) => page.data));
  return sharp(strip, {
    raw: { width, height: height * pages.length, channels: 1, pageHeight: height },
  })
    .threshold(150)
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1, xres: DPI / 25.4, yres: DPI / 25.4 })
    .toBuffer();
}

function drawDeliveryNote(sheet: Sheet): void {
  sheet.text(56, 70, bjorklund.seller.name, { size: 16, bold: true });
  sheet.text(56, 110, 'Följesedel', { size: 20, bold: true });
  const facts = [
    ['Följesedel nr', '260451-1'],
    ['Tillhör faktura', bjorklund.number],
    ['Leveransdatum', bjorklund.delivered],
    ['Mottagare', bjorklund.buyer.name],
    ['Leveransadress', bjorklund.buyer.address.join(', ')],
  ];
  for (const [i, [label = '', value = '']] of facts.entries()) {
    sheet.text(56, 144 + i * 17, label, { size: 10.5, bold: true });
    sheet.text(170, 144 + i * 17, value, { size: 10.5 });
  }
  sheet.rule(56, 244, 483, 1);
  for (const [i, { text, quantity, unit }] of bjorklund.lines.entries()) {
    sheet.text(56, 264 + i * 22, text, { size: 11 });
    sheet.text(539, 264 + i * 22, `${swedish.number(quantity)} ${unit}`, {
      size: 11,
      align: 'right',
    });
  }
  sheet.rule(56, 318, 483, 1);
  sheet.text(56, 350, 'Varorna mottagna i gott skick:', { size: 11 });
  sheet.rule(56, 400, 220);
  sheet.text(56, 414, 'Underskrift', { size: 8.5 });
  sheet.text(60, 394, 'Åsa Nyström', { size: 15 });
}

function drawTerms(sheet: Sheet): void {
  sheet.text(56, 70, 'Allmänna villkor', { size: 18, bold: true });
  const terms = [
    '1. Betalning sker inom 30 dagar från fakturadatum.',
    '2. Vid försenad betalning debiteras dröjsmålsränta med referensräntan plus åtta procentenheter.',
    '3. Äganderätten övergår till köparen när full betalning har skett.',
    '4. Växter som dör under första växtsäsongen ersätts utan kostnad, förutsatt att de har vattnats.',
    '5. Anmärkningar mot fakturan ska göras inom åtta dagar.',
  ];
  for (const [i, term] of terms.entries()) sheet.text(56, 108 + i * 24, term, { size: 10.5 });
}
