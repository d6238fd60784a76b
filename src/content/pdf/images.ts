import type { Box } from '../../domain/transcription.ts';
import type { PdfPage } from './document.ts';
import { type Pdfium, withMemory } from './pdfium.ts';

const IMAGE = 3;

export interface PageImages {
  coverage: number;
  /** Whether an image is drawn on top of this part of a text object. */
  covers(textObject: number, box: Box): boolean;
}

export function pageImages({ pdf, handle, width, height }: PdfPage): PageImages {
  const order = new Map<number, number>();
  const images: { index: number; box: Box }[] = [];
  for (let index = 0; index < pdf._FPDFPage_CountObjects(handle); index += 1) {
    const object = pdf._FPDFPage_GetObject(handle, index);
    order.set(object, index);
    if (pdf._FPDFPageObj_GetType(object) === IMAGE)
      images.push({ index, box: boundsOf(pdf, object) });
  }
  const area = ([left, bottom, right, top]: Box) =>
    Math.max(0, right - left) * Math.max(0, top - bottom);
  const covering = images.toSorted((a, b) => area(b.box) - area(a.box)).slice(0, coveringAtMost);
  const largest = covering[0] ? area(covering[0].box) : 0;
  return {
    coverage: Math.min(1, largest / (width * height)),
    covers: (textObject, box) => {
      const at = order.get(textObject);
      return (
        at !== undefined && covering.some(({ index, box: of }) => index > at && contains(of, box))
      );
    },
  };
}

/** The largest are enough: every character is compared with each of them. */
const coveringAtMost = 500;

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
