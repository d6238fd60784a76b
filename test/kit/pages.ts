import type { Page, Transcription, Word } from '../../src/domain/transcription.ts';

const cell = { width: 10, height: 20, pitch: 30 };

interface Typeset {
  native?: boolean;
  confidence?: number;
}

/** A typewritten page with a box for every word. Three or more spaces are a gap between columns. */
export function typeset(text: string, { native = false, confidence = 0.95 }: Typeset = {}): Page {
  const words = text.split('\n').flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map(
      ({ 0: word, index }): Word => ({
        text: word,
        box: [
          index * cell.width,
          row * cell.pitch,
          (index + word.length) * cell.width,
          row * cell.pitch + cell.height,
        ],
        confidence,
      }),
    ),
  );
  return { ...plain(text), words, native };
}

/** A page read as plain text. */
export function plain(text: string, { native = false }: Typeset = {}): Page {
  const lines = text.split('\n');
  const width = Math.max(...lines.map((line) => line.length)) * cell.width;
  const quality = { score: 0.9, defects: [] };
  return { number: 1, width, height: lines.length * cell.pitch, text, words: [], quality, native };
}

export function transcriptionOf(
  page: Page | undefined,
  ...embedded: Transcription['embedded']
): Transcription {
  return { engine: 'test/1', pages: page ? [page] : [], embedded, problems: [] };
}
