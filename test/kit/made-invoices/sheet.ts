import type { Page, Word } from '../../../src/domain/transcription.ts';

const wide = 595;
const high = 842;

/**
 * A page on which texts are placed by position and size. Every word gets the box a printer would
 * give it.
 */
export class Sheet {
  readonly #words: Word[] = [];

  put(left: number, top: number, text: string, size = 10): void {
    let at = left;
    for (const word of text.split(' ')) {
      const right = at + widthOf(word, size);
      if (word !== '')
        this.#words.push({ text: word, box: [at, top, right, top + size], confidence: 1 });
      at = right + widthOf(' ', size);
    }
  }

  putRight(right: number, top: number, text: string, size = 10): void {
    this.put(right - widthOf(text, size), top, text, size);
  }

  putCentred(top: number, text: string, size = 10): void {
    this.put((wide - widthOf(text, size)) / 2, top, text, size);
  }

  /** The lines of one block, from top to bottom. */
  putLines(left: number, top: number, lines: readonly string[], size = 10): number {
    for (const [i, line] of lines.entries()) this.put(left, top + i * size * 1.35, line, size);
    return top + lines.length * size * 1.35;
  }

  page(): Page {
    const words = this.#words.toSorted((a, b) => a.box[3] - b.box[3] || a.box[0] - b.box[0]);
    const text = words
      .map((word, i) => (word.box[3] === words[i - 1]?.box[3] ? ' ' : '\n') + word.text)
      .join('');
    return {
      number: 1,
      width: wide,
      height: high,
      text,
      words,
      quality: { score: 1, defects: [] },
      native: true,
    };
  }
}

/** Approximate width in Helvetica. */
function widthOf(text: string, size: number): number {
  const em = [...text].reduce((sum, letter) => sum + widths(letter), 0);
  return em * size;
}

function widths(letter: string): number {
  if (/[ijlt.,:;|'’ ()/-]/.test(letter)) return 0.28;
  if (/[mwMW%]/.test(letter)) return 0.84;
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.55;
}
