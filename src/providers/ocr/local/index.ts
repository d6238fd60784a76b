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
import { PageBudget } from './page-budget.ts';
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

type TextPart = Pick<TextOutput, 'pages'> & { problems: Problem[] };

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
  const limits = sandboxLimits(file, options, signal, 'textMs');
  const budget = new PageBudget(file);
  const { pages: count, embedded } = await budget.orReject(() =>
    options.sandbox.run('content.inspect', input, limits),
  );
  checkPageCount(count, file, maxPages);
  const parts = format.text ? await readText(file, count, options, budget, signal) : [];
  const texts = parts.flatMap(({ pages }) => pages.map((text) => ({ number: text.number, text })));
  const pages = format.text ? texts : Array.from({ length: count }, (_, i) => ({ number: i + 1 }));
  const readPage = ({ number, text }: { number: number; text?: TextPage }, stop: AbortSignal) => {
    if (text && !format.pages) return Promise.resolve({ page: nativePage(text) });
    if (file.noOcr) return Promise.resolve(withoutOcr(number, text));
    const look = (either: AbortSignal) =>
      compareWithPage(text, () => recognise(file, number, options, either));
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
  return { pages: readings.flatMap(({ page }) => page ?? []), embedded, problems };
}

function problemsOf({ problem }: PageReading): Problem[] {
  return problem ? [problem] : [];
}

/** Reads many pages per job. In salvage mode one per job, so that a bad page costs only itself. */
function readText(
  file: SourceFile,
  pages: number,
  options: LocalReaderOptions,
  budget: PageBudget,
  signal: AbortSignal,
): Promise<TextPart[]> {
  const count = file.salvage ? 1 : pagesPerJob;
  const read = (range: PageRange, stop: AbortSignal) => readRange(file, range, options, stop);
  const readOne = (number: number, stop: AbortSignal): Promise<TextPart> =>
    budget.orLosePage(
      () => read({ first: number, last: number }, stop),
      (reason) => omittedPage(number, reason),
    );
  const readEach = async ({ first, last }: PageRange, stop: AbortSignal): Promise<TextPart> => {
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const parts: TextPart[] = [];
    for (const number of numbers) parts.push(await readOne(number, stop));
    return {
      pages: parts.flatMap((part) => part.pages),
      problems: parts.flatMap((part) => part.problems),
    };
  };
  const jobs = Array.from({ length: Math.ceil(pages / count) }, (_, i) => {
    const range = { first: i * count + 1, last: Math.min(pages, (i + 1) * count) };
    return (stop: AbortSignal) =>
      range.first === range.last
        ? readOne(range.first, stop)
        : budget.orSplit(
            () => read(range, stop),
            () => readEach(range, stop),
          );
  });
  return allOrNone(jobs, signal);
}

/** 1-based, inclusive. */
interface PageRange {
  first: number;
  last: number;
}

function readRange(
  file: SourceFile,
  { first, last }: PageRange,
  options: LocalReaderOptions,
  stop: AbortSignal,
): Promise<TextPart> {
  const { path, mediaType, password } = file;
  const input = { path, mediaType, password, first, last, maxText: maxTextPerJob };
  const read = async (either: AbortSignal): Promise<TextPart> => {
    const limits = sandboxLimits(file, options, either, 'textMs');
    const { pages } = await options.sandbox.run('content.text', input, limits);
    return { pages, problems: [] };
  };
  return orSkipPage(file, stop, read, (reason) => omittedPage(first, reason));
}

function omittedPage(page: number, why: string): TextPart {
  const message = `Page ${page} was omitted: ${why}`;
  return { pages: [], problems: [{ code: 'TRUNCATED', message }] };
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
