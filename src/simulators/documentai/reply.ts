import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Page } from '../../domain/transcription.ts';
import { toDocument } from './document.ts';
import { illegible, readPdf } from './read-pdf.ts';
import { Refusal } from './refusal.ts';

export const processRequest = z.object({
  rawDocument: z.object({ content: z.instanceof(Uint8Array), mimeType: z.string() }),
  processOptions: z
    .object({ individualPageSelector: z.object({ pages: z.array(z.number()) }).nullish() })
    .nullish(),
});
export type ProcessRequest = z.infer<typeof processRequest>;

/** Pages to return, by the SHA-256 of the file. */
export type Script = ReadonlyMap<string, readonly Page[]>;

export async function replyTo(
  request: ProcessRequest,
  script: Script,
  maxPages: number,
): Promise<object> {
  const all = script.get(hashOf(request)) ?? (await read(request));
  const selected = request.processOptions?.individualPageSelector?.pages ?? [];
  const pages = selected.length ? all.filter(({ number }) => selected.includes(number)) : all;
  if (pages.length > maxPages) {
    throw new Refusal(
      'INVALID_ARGUMENT',
      `Document pages exceed the limit: ${maxPages} got ${pages.length}`,
    );
  }
  return { document: toDocument(pages) };
}

/** Identifies a request by its file and pages, to count repeated ones. */
export function askedIn(request: ProcessRequest): string {
  return `${hashOf(request)}:${request.processOptions?.individualPageSelector?.pages.join(',') ?? ''}`;
}

function hashOf({ rawDocument: { content } }: ProcessRequest): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Result for an image without a script. */
const unknown: Page = {
  number: 1,
  width: 1240,
  height: 1754,
  text: '',
  words: [],
  quality: illegible,
  native: false,
};

async function read({
  rawDocument: { content, mimeType },
}: ProcessRequest): Promise<readonly Page[]> {
  if (mimeType !== 'application/pdf') {
    if (mimeType.startsWith('image/')) return [unknown];
    throw new Refusal('INVALID_ARGUMENT', 'Unsupported input file format.');
  }
  try {
    return await readPdf(content);
  } catch (error) {
    const encrypted = error instanceof Error && /encrypted/i.test(error.message);
    throw new Refusal(
      'INVALID_ARGUMENT',
      encrypted ? 'The PDF is password protected.' : 'Unable to parse the file: it is corrupted.',
    );
  }
}
