import type { Format, TextPage } from '../../../content/format.ts';
import { findFormat } from '../../../content/index.ts';
import { unsupportedType } from '../../../content/unsupported/index.ts';
import type { Problem } from '../../../domain/problem.ts';
import { capText, type EmbeddedFile, type Page } from '../../../domain/transcription.ts';
import { PermanentError } from '../../../errors.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import type { Reader, SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import { checkPageCount, type LocalReaderOptions, sandboxLimits } from './options.ts';
import { orSkipPage, PageBudget } from './page-budget.ts';
import { readPictures } from './pictures.ts';
import { compareWithPage, nativePage, type PageReading, withoutOcr } from './text-layer.ts';
import { readText } from './text-pages.ts';

const MAX_TEXT = 10_000_000;

/** Reads on this machine: embedded text directly, everything else with PP-OCR. */
export function openLocalReader(options: LocalReaderOptions): Reader {
  return {
    engine: 'local/7',
    async read(file, signal) {
      const format = findFormat(file.mediaType);
      if (!format?.inspect) throw unsupportedType(file.mediaType);
      const { noOcr, salvage } = file;
      const asked = noOcr || salvage ? { ...file, pictures: undefined } : file;
      const reading = await readPages(asked, format, options, signal);
      const { pages: read, embedded, problems, second } = reading;
      const { pages, truncated } = capText(read, MAX_TEXT);
      const truncation: Problem[] = truncated
        ? [
            {
              code: 'TRUNCATED',
              message: `Text after the first ${MAX_TEXT} characters was omitted`,
            },
          ]
        : [];
      const engine = second ? `${this.engine}+${second}` : this.engine;
      return { engine, pages, embedded, problems: [...problems, ...truncation] };
    },
    // The caller owns the sandbox.
    close: async () => {},
  };
}

export interface Reading {
  pages: Page[];
  embedded: EmbeddedFile[];
  problems: Problem[];
  /** The second engine, if that one has read the text. */
  second?: string | undefined;
}

/** Uses the text layer of each page if it is trustworthy, OCR otherwise. */
export async function readPages(
  file: SourceFile,
  format: Format,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<Reading> {
  const { maxPages, maxPixels } = options;
  const { path, mediaType, password } = file;
  const input = { path, mediaType, password, maxPages, maxPixels };
  const limits = sandboxLimits(file, options, signal);
  const budget = new PageBudget(file);
  const { pages: count, embedded } = await budget.orReject(() =>
    options.sandbox.run('content.inspect', input, limits),
  );
  checkPageCount(count, file, maxPages);
  const parts = format.text
    ? await readText(file, count, { ...options, format, budget }, signal)
    : [];
  const texts = parts.flatMap(({ pages }) => pages.map((text) => ({ number: text.number, text })));
  const pages = format.text ? texts : Array.from({ length: count }, (_, i) => ({ number: i + 1 }));
  const readPage = ({ number, text }: { number: number; text?: TextPage }, stop: AbortSignal) => {
    if (text && !format.pages) return Promise.resolve({ page: nativePage(text) });
    if (file.noOcr) return Promise.resolve(withoutOcr(number, text));
    const look = (either: AbortSignal) =>
      compareWithPage(text, async () => ({
        number,
        ...(await recognise(file, { page: number }, options, either)),
        native: false,
      }));
    const skip = (reason: string) => withoutOcr(number, text, reason);
    return budget.orLosePage(() => orSkipPage(file, stop, look, skip), skip);
  };
  const readings: PageReading[] = await allOrNone(
    pages.map((page) => (stop: AbortSignal) => readPage(page, stop)),
    signal,
  );
  const problems = [...parts.flatMap((part) => part.problems), ...readings.flatMap(problemsOf)];
  const [problem] = problems;
  const isEmpty = readings.every(({ page }) => page === undefined);
  if (isEmpty && problem && !file.salvage) throw new PermanentError('TOO_SLOW', problem.message);
  const second = parts.find(({ engine }) => engine !== undefined)?.engine;
  const read = readings.flatMap(({ page }) => page ?? []);
  const { pictures } = file;
  if (!pictures) return { pages: read, embedded, problems, second };
  const joined = await readPictures(read, parts, { ...file, pictures }, options, signal);
  const all = [...problems, ...joined.problems];
  return { pages: joined.pages, embedded, problems: all, second };
}

function problemsOf({ problem }: PageReading): Problem[] {
  return problem ? [problem] : [];
}
