import { PDFDocument, type PDFFont, type PDFPage, rgb, type StandardFonts } from '@cantoo/pdf-lib';

export type Colour = readonly [red: number, green: number, blue: number];
export const ink: Colour = [0.12, 0.12, 0.14];

interface TextStyle {
  size?: number;
  bold?: boolean;
  align?: 'left' | 'right' | 'centre';
  colour?: Colour;
}

/** A page to draw on. Coordinates are in points from the top left corner. */
export interface Sheet {
  width: number;
  height: number;
  text(x: number, y: number, text: string, style?: TextStyle): void;
  rule(x: number, y: number, width: number, thickness?: number, colour?: Colour): void;
  box(x: number, y: number, width: number, height: number, colour: Colour): void;
}

interface Fonts {
  regular: StandardFonts;
  bold: StandardFonts;
}

const createdAt = new Date('2026-01-05T09:00:00Z');

/** A document whose bytes are the same in every run. */
export async function newDocument(title: string, author: string): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setAuthor(author);
  document.setProducer('Millrace samples');
  document.setCreationDate(createdAt);
  document.setModificationDate(createdAt);
  return document;
}

export async function addSheet(
  document: PDFDocument,
  fonts: Fonts,
  size: [number, number] = [595, 842],
) {
  const page = document.addPage(size);
  const regular = await document.embedFont(fonts.regular);
  const bold = await document.embedFont(fonts.bold);
  return sheetOf(page, regular, bold);
}

function sheetOf(page: PDFPage, regular: PDFFont, boldFont: PDFFont): Sheet {
  const { width, height } = page.getSize();
  return {
    width,
    height,
    text(x, y, text, { size = 9.5, bold = false, align = 'left', colour = ink } = {}) {
      const font = bold ? boldFont : regular;
      const shift = { left: 0, centre: 0.5, right: 1 }[align] * widthOf(text, font, size);
      page.drawText(text, { x: x - shift, y: height - y, size, font, color: rgb(...colour) });
    },
    rule(x, y, length, thickness = 0.6, colour = ink) {
      const at = height - y;
      page.drawLine({
        start: { x, y: at },
        end: { x: x + length, y: at },
        thickness,
        color: rgb(...colour),
      });
    },
    box(x, y, boxWidth, boxHeight, colour) {
      page.drawRectangle({
        x,
        y: height - y - boxHeight,
        width: boxWidth,
        height: boxHeight,
        color: rgb(...colour),
      });
    },
  };
}

/** Summed letter by letter: text is drawn without kerning, which the font's measure includes. */
function widthOf(text: string, font: PDFFont, size: number): number {
  return [...text].reduce((width, letter) => width + font.widthOfTextAtSize(letter, size), 0);
}
