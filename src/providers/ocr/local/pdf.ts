import type { Problem } from '../../../domain/problem.ts';
import type { Page } from '../../../domain/transcription.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import type { ReadPdfOutput } from '../../../sandbox/pdf/read.ts';
import type { SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';
import { checkPageCount } from './page-count.ts';
import type { Reading } from './reading.ts';
import { skipped } from './skipped.ts';
import { contradicts, trustIn } from './text-layer.ts';

const PAGES_A_JOB = 25;
const MAX_TEXT_A_JOB = 10_000_000;

type Layer = ReadPdfOutput['pages'][number];
type Verdict = { page: Page; problem?: Problem };

/** The text that a page carries, where it has some and it can be believed; what the page shows otherwise. */
export async function readPdf(file: SourceFile, options: LocalReaderOptions, signal: AbortSignal): Promise<Reading> {
  const { sandbox, maxPages, pageTimeoutMs: timeoutMs } = options;
  const { path, password } = file;
  const { pages, embedded } = await sandbox.run('pdf.inspect', { path, password, maxPages }, { signal, timeoutMs });
  checkPageCount(pages, maxPages);
  const starts = Array.from({ length: Math.ceil(pages / PAGES_A_JOB) }, (_, i) => i * PAGES_A_JOB + 1);
  const jobs = starts.map((first) => (stop: AbortSignal) => {
    const input = { path, password, first, last: first + PAGES_A_JOB - 1, maxText: MAX_TEXT_A_JOB };
    return sandbox.run('pdf.read', input, { signal: stop, timeoutMs });
  });
  const read = await allOrNone(jobs, signal);
  const layers = read.flatMap((part) => part.pages);
  const verdicts = await allOrNone(
    layers.map((layer) => async (stop: AbortSignal) => {
      if (file.noOcr) return unseen(layer);
      return judge(layer, () => recognise(file, layer.number, options, stop));
    }),
    signal,
  );
  return {
    pages: verdicts.map(({ page }) => page),
    embedded,
    problems: verdicts.flatMap(({ problem }) => problem ?? []),
  };
}

function unseen(layer: Layer): Verdict {
  const page = nativePage(layer);
  return trustIn(layer) === 'trusted' ? { page } : { page, problem: skipped(layer.number) };
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
