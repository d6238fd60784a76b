import { allOrNone } from '../../../lib/all-or-none.ts';
import type { SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';
import { checkPageCount } from './page-count.ts';
import type { Reading } from './reading.ts';
import { skippedPages } from './skipped.ts';

export async function readImage(file: SourceFile, options: LocalReaderOptions, signal: AbortSignal): Promise<Reading> {
  const { sandbox, maxPixels, maxPages, pageTimeoutMs: timeoutMs } = options;
  const { pages } = await sandbox.run('image.inspect', { path: file.path, maxPixels }, { signal, timeoutMs });
  checkPageCount(pages, maxPages);
  if (file.noOcr) return skippedPages(pages);
  const tasks = Array.from({ length: pages }, (_, i) => (stop: AbortSignal) => recognise(file, i + 1, options, stop));
  return { pages: await allOrNone(tasks, signal), embedded: [], problems: [] };
}
