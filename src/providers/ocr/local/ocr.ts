import type { Page } from '../../../domain/transcription.ts';
import type { SourceFile } from '../port.ts';
import type { LocalReaderOptions } from './options.ts';

/** Recognises one page of a PDF or an image. */
export async function recognise(
  { path, mediaType, password }: SourceFile,
  number: number,
  { sandbox, maxPixels, languages, pageTimeoutMs }: LocalReaderOptions,
  signal: AbortSignal,
): Promise<Page> {
  const script = languages.length > 0 && languages.every(isEnglish) ? 'english' : 'latin';
  const input = { path, mediaType, password, page: number, maxPixels, script } as const;
  const page = await sandbox.run('ocr.page', input, { signal, timeoutMs: pageTimeoutMs });
  return { number, ...page, native: false };
}

const isEnglish = (language: string): boolean => /^en/i.test(language);
