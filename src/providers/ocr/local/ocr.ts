import type { Page } from '../../../domain/transcription.ts';
import type { SourceFile } from '../port.ts';
import { type LocalReaderOptions, sandboxLimits } from './options.ts';

export async function recognise(
  file: SourceFile,
  number: number,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<Page> {
  const { path, mediaType, password } = file;
  const { sandbox, maxPixels, languages } = options;
  const script = languages.length > 0 && languages.every(isEnglish) ? 'english' : 'latin';
  const input = { path, mediaType, password, page: number, maxPixels, script } as const;
  const page = await sandbox.run('recognition.page', input, sandboxLimits(file, options, signal));
  return { number, ...page, native: false };
}

const isEnglish = (language: string): boolean => /^en/i.test(language);
