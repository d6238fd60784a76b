import { readFile, stat } from 'node:fs/promises';
import { PermanentError } from '../../../errors.ts';
import { checkLane, type SourceFile } from '../port.ts';
import type { Pdf } from './pdf.ts';
import { countTiffPages } from './tiff.ts';

/** Content of one request: a file, and optionally a selection of its pages. */
export interface Slice {
  content: Buffer;
  pages?: number[];
  /** Number of the first page within the document. */
  first: number;
  /** Number of expected pages; absent if only the vendor can open the file. */
  count?: number;
}

export interface Limits {
  maxPages: number;
  maxBytes: number;
}

const supportedTypes = new Set([
  'application/pdf',
  'image/tiff',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/bmp',
  'image/webp',
]);

/** Splits a document into requests within the limits, in order and without gaps. */
export async function* slices(
  file: SourceFile,
  pdf: Pdf | undefined,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  const { path, mediaType, largeFrom } = file;
  if (!supportedTypes.has(mediaType))
    throw new PermanentError('UNSUPPORTED_TYPE', `Document AI does not read ${mediaType}.`);
  const { size } = await stat(path);
  if (size === 0) throw new PermanentError('EMPTY_FILE', 'The file is empty.');
  checkLane(pdf?.pages ?? 0, largeFrom);
  if (size > limits.maxBytes && !pdf) throw tooLarge(limits);
  if (pdf && (size > limits.maxBytes || pdf.encrypted)) {
    yield* files(pdf, 1, pdf.pages, limits, signal);
    return;
  }
  const content = await readFile(path, { signal });
  const count = pdf?.pages ?? (mediaType === 'image/tiff' ? countTiffPages(content) : undefined);
  checkLane(count ?? 0, largeFrom);
  if (count === 0) throw new PermanentError('NO_PAGES', 'The document has no pages.');
  if (count !== undefined && count > limits.maxPages)
    yield* ranges(content, count, limits.maxPages);
  else yield { content, first: 1, ...(count !== undefined && { count }) };
}

function* ranges(content: Buffer, total: number, maxPages: number): Generator<Slice> {
  for (let first = 1; first <= total; first += maxPages) {
    const count = Math.min(maxPages, total - first + 1);
    yield { content, first, count, pages: Array.from({ length: count }, (_, i) => first + i) };
  }
}

/** Halves the page range until each part fits both limits. */
async function* files(
  pdf: Pdf,
  first: number,
  count: number,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  signal.throwIfAborted();
  const content = count <= limits.maxPages ? await pdf.cut(first, count) : undefined;
  if (content && content.length <= limits.maxBytes) {
    yield { content, first, count };
    return;
  }
  if (count <= 1) throw tooLarge(limits);
  const half = Math.ceil(count / 2);
  yield* files(pdf, first, half, limits, signal);
  yield* files(pdf, first + half, count - half, limits, signal);
}

function tooLarge({ maxBytes }: Limits): PermanentError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  return new PermanentError(
    'PROVIDER_REFUSED',
    `Document AI accepts ${megabytes} MB per request, and the file cannot be split further.`,
  );
}
