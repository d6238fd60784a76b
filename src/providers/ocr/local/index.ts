import type { Format, TextOutput, TextPage } from '../../../content/format.ts';
import { findFormat } from '../../../content/index.ts';
import type { Problem } from '../../../domain/problem.ts';
import { capText, type EmbeddedFile, type Page } from '../../../domain/transcription.ts';
import { PermanentError } from '../../../errors.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import { describeError } from '../../../lib/describe-error.ts';
import type { Reader, SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import { checkPageCount, type LocalReaderOptions, sandboxLimits } from './options.ts';
import { compareWithPage, nativePage, type PageReading, withoutOcr } from './text-layer.ts';

const MAX_TEXT = 10_000_000;

/** Reads on this machine: embedded text directly, everything else with PP-OCR. */
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
      const truncation: Problem[] = truncated
        ? [
            {
              code: 'TRUNCATED',
              message: `Text after the first ${MAX_TEXT} characters was omitted`,
            },
          ]
        : [];
      return { engine: this.engine, pages, embedded, problems: [...problems, ...truncation] };
    },
    // The caller owns the sandbox.
    close: async () => {},
  };
}

export interface Reading {
  pages: Page[];
  embedded: EmbeddedFile[];
  problems: Problem[];
}

const pagesPerJob = 25;
const maxTextPerJob = 10_000_000;

type TextPart = TextOutput & { problem?: Problem };

const partlyRead: Problem = {
  code: 'TRUNCATED',
  message: 'Part of the text was omitted, because it is damaged or exceeds a limit',
};

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
  const { pages: count, embedded } = await options.sandbox.run('content.inspect', input, limits);
  checkPageCount(count, file, maxPages);
  const parts = format.text ? await readText(file, format, count, options, signal) : [];
  const texts = parts.flatMap(({ pages }) => pages.map((text) => ({ number: text.number, text })));
  const pages = format.text ? texts : Array.from({ length: count }, (_, i) => ({ number: i + 1 }));
  const readPage = ({ number, text }: { number: number; text?: TextPage }, stop: AbortSignal) => {
    if (text && !format.pages) return Promise.resolve({ page: nativePage(text) });
    if (file.noOcr) return Promise.resolve(withoutOcr(number, text));
    const look = (either: AbortSignal) =>
      compareWithPage(text, () => recognise(file, number, options, either));
    return orSkipPage(file, stop, look, (reason) => withoutOcr(number, text, reason));
  };
  const readings: PageReading[] = await allOrNone(
    pages.map((page) => (stop: AbortSignal) => readPage(page, stop)),
    signal,
  );
  const problems = [...parts, ...readings].flatMap(({ problem }) => problem ?? []);
  return {
    pages: readings.flatMap(({ page }) => page ?? []),
    embedded,
    problems: parts.some(({ truncated }) => truncated) ? [...problems, partlyRead] : problems,
  };
}

/**
 * Reads many pages per job, and all pages of formats without pictures of pages: these are parsed as
 * a whole by every job. In salvage mode one per job, so that a bad page costs only itself.
 */
function readText(
  file: SourceFile,
  format: Format,
  pages: number,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<TextPart[]> {
  const { path, mediaType, password, salvage } = file;
  const count = salvage ? 1 : format.pages ? pagesPerJob : pages;
  const starts = Array.from({ length: Math.ceil(pages / count) }, (_, i) => i * count + 1);
  const jobs = starts.map((first) => (stop: AbortSignal) => {
    const input = {
      path,
      mediaType,
      password,
      first,
      last: first + count - 1,
      maxText: maxTextPerJob,
      maxRows: options.maxSheetRows,
    };
    const read = (either: AbortSignal): Promise<TextPart> =>
      options.sandbox.run('content.text', input, sandboxLimits(file, options, either));
    return orSkipPage(file, stop, read, (reason) => ({
      pages: [],
      truncated: false,
      problem: omittedPage(first, reason),
    }));
  });
  return allOrNone(jobs, signal);
}

function omittedPage(page: number, why: string): Problem {
  return { code: 'TRUNCATED', message: `Page ${page} was omitted: ${why}` };
}

/** Reads part of a file. In salvage mode, a part that fails is skipped instead of the document. */
export async function orSkipPage<T>(
  { salvage }: SourceFile,
  stop: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
  onSkip: (reason: string) => T,
): Promise<T> {
  if (!salvage) return read(stop);
  try {
    return await read(AbortSignal.any([stop, salvage]));
  } catch (error) {
    if (stop.aborted) throw error;
    return onSkip(salvage.aborted ? 'the time limit was reached' : describeError(error));
  }
}
