import { capText } from '../../../domain/cap-text.ts';
import type { Problem } from '../../../domain/problem.ts';
import { PermanentError } from '../../../errors.ts';
import { readImage } from './image.ts';
import type { LocalReaderOptions } from './options.ts';
import { readPdf } from './pdf.ts';
import { readText } from '../../../content/text/read.ts';
import type { Reader, SourceFile } from '../port.ts';

const MAX_TEXT = 10_000_000;

const text = /^text\/|^application\/(json|xml)$|\+(json|xml)$/;

const readers = [
  { accepts: /^application\/pdf$/, read: readPdf },
  { accepts: /^image\/(png|jpeg|webp|gif|tiff|avif|heic|heif)$/, read: readImage },
  { accepts: text, read: readText },
];

/** Reads on this machine: native text of PDFs and text files, PP-OCR for what is only seen. */
export function openLocalReader(options: LocalReaderOptions): Reader {
  return {
    engine: 'local/4',
    async read(file, signal) {
      const { pages: read, embedded, problems } = await readerFor(file).read(file, options, signal);
      const { pages, truncated } = capText(read, MAX_TEXT);
      const cut: Problem[] = truncated
        ? [{ code: 'TRUNCATED', message: `Text after ${MAX_TEXT} characters was left out` }]
        : [];
      return { engine: this.engine, pages, embedded, problems: [...problems, ...cut] };
    },
    // The sandbox belongs to whoever opened it.
    close: async () => {},
  };
}

/** What is text already, and needs no reader but this. */
export const isText = (mediaType: string): boolean => text.test(mediaType);

function readerFor({ mediaType }: SourceFile) {
  const found = readers.find(({ accepts }) => accepts.test(mediaType));
  if (!found) throw new PermanentError('UNSUPPORTED_TYPE', `The local reader cannot read ${mediaType}`);
  return found;
}
