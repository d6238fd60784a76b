import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';

/** A greyscale image: one byte per pixel, rows from the top. */
export interface Paper {
  data: Buffer;
  width: number;
  height: number;
}

/** Renders the pages of a PDF as if printed on paper. */
export async function print(pdf: Uint8Array, dpi: number): Promise<Paper[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    const papers: Paper[] = [];
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({
        scale: dpi / 72,
        render: 'bitmap',
        colorSpace: 'Gray',
      });
      papers.push({ data: Buffer.from(data), width, height });
    }
    return papers;
  } finally {
    document.destroy();
    library.destroy();
  }
}

export function picture({ data, width, height }: Paper): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } });
}

export async function developed(picture: Sharp): Promise<Paper> {
  const { data, info } = await picture
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Replaces every pixel by the result of `shade` for its value and position. */
export function shaded(
  paper: Paper,
  shade: (value: number, x: number, y: number) => number,
): Paper {
  const data = Buffer.from(paper.data);
  for (const [i, value] of data.entries()) {
    const changed = shade(value, i % paper.width, Math.floor(i / paper.width));
    data[i] = Math.max(0, Math.min(255, Math.round(changed)));
  }
  return { ...paper, data };
}
