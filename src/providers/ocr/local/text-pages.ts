import type { Format, TextOutput } from '../../../content/format.ts';
import type { Problem } from '../../../domain/problem.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import type { SourceFile } from '../port.ts';
import { type LocalReaderOptions, sandboxLimits } from './options.ts';
import { orSkipPage, type PageBudget } from './page-budget.ts';

const pagesPerJob = 25;
const maxTextPerJob = 10_000_000;

export type TextPart = Pick<TextOutput, 'pages' | 'engine' | 'pictures' | 'picturesLeftOut'> & {
  problems: Problem[];
};

interface TextOptions extends LocalReaderOptions {
  budget: PageBudget;
  format: Format;
}

/**
 * Reads many pages per job, and all pages of formats that cannot be drawn: every job would parse
 * these as a whole. In salvage mode one per job, so that a bad page costs only itself.
 */
export function readText(
  file: SourceFile,
  pages: number,
  { budget, format, ...options }: TextOptions,
  signal: AbortSignal,
): Promise<TextPart[]> {
  const count = file.salvage ? 1 : format.pages ? pagesPerJob : pages;
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

const partlyRead: Problem = {
  code: 'TRUNCATED',
  message: 'Part of the text was omitted, because it is damaged or exceeds a limit',
};

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
  const { maxSheetRows: maxRows } = options;
  const pictures = file.pictures && { ...file.pictures, maxPixels: options.maxPixels };
  const input = {
    ...{ path, mediaType, password, first, last, maxRows, pictures },
    maxText: maxTextPerJob,
  };
  const read = async (either: AbortSignal): Promise<TextPart> => {
    const limits = sandboxLimits(file, options, either);
    const result = await options.sandbox.run('content.text', input, limits);
    const { truncated, problems = [], ...read } = result;
    return { ...read, problems: truncated ? [...problems, partlyRead] : problems };
  };
  return orSkipPage(file, stop, read, (reason) => omittedPage(first, reason));
}

function omittedPage(page: number, why: string): TextPart {
  const message = `Page ${page} was omitted: ${why}`;
  return { pages: [], problems: [{ code: 'TRUNCATED', message }] };
}
