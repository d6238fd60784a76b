import { findFormat } from '../../../content/index.ts';
import { capText } from '../../../domain/cap-text.ts';
import type { Problem } from '../../../domain/problem.ts';
import { PermanentError } from '../../../errors.ts';
import type { Reader } from '../port.ts';
import type { LocalReaderOptions } from './options.ts';
import { readPages } from './read-pages.ts';

const MAX_TEXT = 10_000_000;

/** Reads on this machine: the text that a file carries, PP-OCR for what is only seen. */
export function openLocalReader(options: LocalReaderOptions): Reader {
  return {
    engine: 'local/4',
    async read(file, signal) {
      const format = findFormat(file.mediaType);
      if (!format?.inspect) {
        throw new PermanentError(
          'UNSUPPORTED_TYPE',
          `The local reader cannot read ${file.mediaType}`,
        );
      }
      const { pages: read, embedded, problems } = await readPages(file, format, options, signal);
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
