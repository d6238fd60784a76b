import type { Box } from '../../domain/transcription.ts';
import { type Pdfium, type PdfPage, withMemory } from './document.ts';

export interface Character {
  text: string;
  /** In PDF user space: origin at the bottom left, before page rotation. */
  box: Box;
  /** Likely invisible on the rendered page. */
  hidden: boolean;
  /** The font has no Unicode mapping for the glyph. */
  unmapped: boolean;
}

const INVISIBLE_MODES = new Set([3, 7]);
const TINY_POINTS = 1.5;
const NEAR_WHITE = 250;
const HYPHEN = 2;

/** Characters of the text layer in PDFium's order, including the whitespace it infers. */
export function readCharacters(
  page: PdfPage,
  isCovered: (textObject: number, box: Box) => boolean,
): Character[] {
  const { pdf } = page;
  const layer = pdf._FPDFText_LoadPage(page.handle);
  if (layer === 0) return [];
  try {
    return withMemory(pdf, 48, (scratch) =>
      Array.from({ length: pdf._FPDFText_CountChars(layer) }, (_, i) => {
        const code = pdf._FPDFText_GetUnicode(layer, i);
        const box = boxOf(pdf, layer, i, scratch);
        const object = pdf._FPDFText_GetTextObject(layer, i);
        const drawn = object !== 0 && code > 0x20;
        const character =
          code === HYPHEN ? '-' : String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd);
        return {
          text: character,
          box,
          hidden:
            drawn &&
            (INVISIBLE_MODES.has(pdf._FPDFTextObj_GetTextRenderMode(object)) ||
              isTiny(character, box) ||
              isFaint(pdf, layer, i, scratch) ||
              isCovered(object, box)),
          unmapped: drawn && pdf._FPDFText_HasUnicodeMapError(layer, i) === 1,
        };
      }),
    );
  } finally {
    pdf._FPDFText_ClosePage(layer);
  }
}

/** Letters and digits only: punctuation is small anyway. */
const isTiny = (character: string, [left, bottom, right, top]: Box): boolean =>
  /[\p{L}\p{N}]/u.test(character) && Math.max(right - left, top - bottom) < TINY_POINTS;

function boxOf(pdf: Pdfium, layer: number, index: number, scratch: number): Box {
  pdf._FPDFText_GetCharBox(layer, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  const view = new DataView(pdf.HEAPU8.buffer, scratch, 32);
  const [left, right, bottom, top] = [0, 8, 16, 24].map((offset) => view.getFloat64(offset, true));
  return [left ?? 0, bottom ?? 0, right ?? 0, top ?? 0];
}

/** White or transparent. Only an indication: white text may lie on a dark background. */
function isFaint(pdf: Pdfium, layer: number, index: number, scratch: number): boolean {
  if (!pdf._FPDFText_GetFillColor(layer, index, scratch, scratch + 4, scratch + 8, scratch + 12))
    return false;
  const view = new DataView(pdf.HEAPU8.buffer, scratch, 16);
  const [red = 0, green = 0, blue = 0, alpha = 255] = [0, 4, 8, 12].map((offset) =>
    view.getUint32(offset, true),
  );
  return alpha === 0 || Math.min(red, green, blue) >= NEAR_WHITE;
}
