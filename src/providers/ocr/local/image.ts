import { allOrNone } from '../../../lib/all-or-none.ts';
import type { SourceFile } from '../port.ts';
import { effort } from './effort.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';
import { checkPageCount } from './page-count.ts';
import type { Reading, Verdict } from './reading.ts';
import { orLost } from './salvage.ts';
import { skipped, skippedPages } from './skipped.ts';

export async function readImage(file: SourceFile, options: LocalReaderOptions, signal: AbortSignal): Promise<Reading> {
  const { sandbox, maxPixels, maxPages } = options;
  const { pages } = await sandbox.run('image.inspect', { path: file.path, maxPixels }, effort(file, options, signal));
  checkPageCount(pages, file, maxPages);
  if (file.noOcr) return skippedPages(pages);
  const tasks = Array.from({ length: pages }, (_, i) => (stop: AbortSignal) => {
    const see = async (either: AbortSignal): Promise<Partial<Verdict>> => ({
      page: await recognise(file, i + 1, options, either),
    });
    return orLost(file, stop, see, (reason) => ({ problem: skipped(i + 1, reason) }));
  });
  const verdicts = await allOrNone(tasks, signal);
  return {
    pages: verdicts.flatMap(({ page }) => page ?? []),
    embedded: [],
    problems: verdicts.flatMap(({ problem }) => problem ?? []),
  };
}
