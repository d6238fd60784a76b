import type { Problem } from '../../../domain/problem.ts';
import type { Page } from '../../../domain/transcription.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import type { ReadPdfOutput } from '../../../content/pdf/read.ts';
import type { SourceFile } from '../port.ts';
import { effort } from './effort.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';
import { checkPageCount } from './page-count.ts';
import type { Reading, Verdict } from './reading.ts';
import { orLost } from './salvage.ts';
import { skipped } from './skipped.ts';
import { contradicts, trustIn } from './text-layer.ts';

const PAGES_A_JOB = 25;
const MAX_TEXT_A_JOB = 10_000_000;

type Layer = ReadPdfOutput['pages'][number];
type Part = Pick<ReadPdfOutput, 'pages'> & { problem?: Problem };

/** The text that a page carries, where it has some and it can be believed; what the page shows otherwise. */
export async function readPdf(file: SourceFile, options: LocalReaderOptions, signal: AbortSignal): Promise<Reading> {
  const { sandbox, maxPages } = options;
  const { path, password } = file;
  const inspected = sandbox.run('pdf.inspect', { path, password, maxPages }, effort(file, options, signal));
  const { pages, embedded } = await inspected;
  checkPageCount(pages, file, maxPages);
  const read = await readLayers(file, pages, options, signal);
  const layers = read.flatMap((part) => part.pages);
  const verdicts = await allOrNone(
    layers.map((layer) => async (stop: AbortSignal) => {
      if (file.noOcr) return unseen(layer);
      const see = (either: AbortSignal) => judge(layer, () => recognise(file, layer.number, options, either));
      return orLost(file, stop, see, (reason) => unseen(layer, reason));
    }),
    signal,
  );
  return {
    pages: verdicts.map(({ page }) => page),
    embedded,
    problems: [...read, ...verdicts].flatMap(({ problem }) => problem ?? []),
  };
}

/** Many pages a job; each on its own where only the good ones are wanted. */
function readLayers(
  file: SourceFile,
  pages: number,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<Part[]> {
  const { path, password, salvage } = file;
  const count = salvage ? 1 : PAGES_A_JOB;
  const starts = Array.from({ length: Math.ceil(pages / count) }, (_, i) => i * count + 1);
  const jobs = starts.map((first) => (stop: AbortSignal) => {
    const input = { path, password, first, last: first + count - 1, maxText: MAX_TEXT_A_JOB };
    const read = (either: AbortSignal): Promise<Part> =>
      options.sandbox.run('pdf.read', input, effort(file, options, either));
    return orLost(file, stop, read, (reason) => ({ pages: [], problem: missing(first, reason) }));
  });
  return allOrNone(jobs, signal);
}

function missing(page: number, why: string): Problem {
  return { code: 'TRUNCATED', message: `Page ${page} is left out: ${why}` };
}

function unseen(layer: Layer, why?: string): Verdict {
  const page = nativePage(layer);
  return trustIn(layer) === 'trusted' ? { page } : { page, problem: skipped(layer.number, why) };
}

async function judge(layer: Layer, see: () => Promise<Page>): Promise<Verdict> {
  const trust = trustIn(layer);
  if (trust === 'trusted') return { page: nativePage(layer) };
  const seen = await see();
  if (trust === 'useless') return { page: seen.words.length >= layer.words.length ? seen : nativePage(layer) };
  if (!contradicts(layer.hidden, seen)) return { page: nativePage(layer) };
  const message = `Page ${layer.number}: words of the text layer that the page does not show were left out`;
  return { page: honestPart(layer, seen), problem: { code: 'TEXT_LAYER_IGNORED', message } };
}

/** Words in plain sight are exact where recognition may err; a layer of which nothing is in sight is of no use. */
function honestPart(layer: Layer, seen: Page): Page {
  const { visible } = layer;
  const isSeen =
    visible.words.length > 0 &&
    !contradicts(
      visible.words.map(({ text }) => text),
      seen,
    );
  return isSeen ? nativePage({ ...layer, ...visible }) : seen;
}

function nativePage({ number, width, height, text, words, garbage }: Layer): Page {
  const score = Math.round((1 - garbage) * 1000) / 1000;
  return { number, width, height, text, words, quality: { score, defects: [] }, native: true };
}
