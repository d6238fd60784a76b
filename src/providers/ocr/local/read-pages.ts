import type { Format, TextOutput, TextPage } from '../../../content/format.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { EmbeddedFile, Page } from '../../../domain/transcription.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import type { SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';
import { checkPageCount } from './page-count.ts';
import { sandboxLimits } from './sandbox-limits.ts';
import { orSkipPage } from './skip-page.ts';
import { compareWithPage, nativePage, type PageReading, withoutOcr } from './text-layer.ts';

/** What was read from a file. */
export interface Reading {
  pages: Page[];
  embedded: EmbeddedFile[];
  problems: Problem[];
}

const pagesPerJob = 25;
const maxTextPerJob = 10_000_000;

type TextPart = Pick<TextOutput, 'pages'> & { problem?: Problem };

/** The text that a page carries, where it has some and it can be trusted; what the page shows otherwise. */
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
  const parts = format.text ? await readText(file, count, options, signal) : [];
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
  return {
    pages: readings.flatMap(({ page }) => page ?? []),
    embedded,
    problems: [...parts, ...readings].flatMap(({ problem }) => problem ?? []),
  };
}

/** Many pages per job; one per job where only the good ones are wanted. */
function readText(
  file: SourceFile,
  pages: number,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<TextPart[]> {
  const { path, mediaType, password, salvage } = file;
  const count = salvage ? 1 : pagesPerJob;
  const starts = Array.from({ length: Math.ceil(pages / count) }, (_, i) => i * count + 1);
  const jobs = starts.map((first) => (stop: AbortSignal) => {
    const input = {
      path,
      mediaType,
      password,
      first,
      last: first + count - 1,
      maxText: maxTextPerJob,
    };
    const read = (either: AbortSignal): Promise<TextPart> =>
      options.sandbox.run('content.text', input, sandboxLimits(file, options, either));
    return orSkipPage(file, stop, read, (reason) => ({
      pages: [],
      problem: leftOut(first, reason),
    }));
  });
  return allOrNone(jobs, signal);
}

function leftOut(page: number, why: string): Problem {
  return { code: 'TRUNCATED', message: `Page ${page} is left out: ${why}` };
}
