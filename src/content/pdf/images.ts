import type { Box } from '../../domain/transcription.ts';
import type { PagePicture } from '../format.ts';
import { type Pdfium, type PdfPage, withMemory } from './document.ts';
import { areaOf, toPage } from './geometry.ts';
import { listPictures } from './pictures.ts';

const IMAGE = 3;

export interface PageImages {
  /** Share of the page that the largest image covers. */
  coverage: number;
  /** Whether an image is drawn on top of this part of a text object. */
  covers(textObject: number, box: Box): boolean;
  /** Pictures that these words of the page do not lie on. */
  pictures(words: readonly Box[]): PagePicture[];
}

export function pageImages(page: PdfPage): PageImages {
  const { pdf, handle, width, height } = page;
  const order = new Map<number, number>();
  const images: { object: number; index: number; box: Box }[] = [];
  for (let index = 0; index < pdf._FPDFPage_CountObjects(handle); index += 1) {
    const object = pdf._FPDFPage_GetObject(handle, index);
    order.set(object, index);
    if (pdf._FPDFPageObj_GetType(object) === IMAGE)
      images.push({ object, index, box: boundsOf(pdf, object) });
  }
  const largest = images.toSorted((a, b) => areaOf(b.box) - areaOf(a.box)).slice(0, atMost);
  return {
    coverage: Math.min(1, (largest[0] ? areaOf(largest[0].box) : 0) / (width * height)),
    covers: (textObject, box) => {
      const at = order.get(textObject);
      return (
        at !== undefined && largest.some(({ index, box: of }) => index > at && contains(of, box))
      );
    },
    pictures: (words) => {
      const shown = withMemory(pdf, 8, (scratch) =>
        largest.map(({ object, box }) => ({
          box: toPage(page, box, scratch),
          pixels: pixelsOf(page, object, scratch),
        })),
      );
      return listPictures(shown, words, page);
    },
  };
}

/** The largest are enough: every character is compared with each of them. */
const atMost = 500;

const contains = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

function boundsOf(pdf: Pdfium, object: number): Box {
  return withMemory(pdf, 16, (pointer) => {
    pdf._FPDFPageObj_GetBounds(object, pointer, pointer + 4, pointer + 8, pointer + 12);
    const view = new DataView(pdf.HEAPU8.buffer, pointer, 16);
    return [
      view.getFloat32(0, true),
      view.getFloat32(4, true),
      view.getFloat32(8, true),
      view.getFloat32(12, true),
    ];
  });
}

/** As stored, without decoding it. */
function pixelsOf({ pdf }: PdfPage, object: number, scratch: number): number {
  if (!pdf._FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)) return 0;
  const view = new DataView(pdf.HEAPU8.buffer, scratch, 8);
  return view.getUint32(0, true) * view.getUint32(4, true);
}
