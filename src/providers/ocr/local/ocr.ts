import type { PageInput } from '../../../content/format.ts';
import type { OcrPageOutput } from '../../../recognition/page.ts';
import type { SourceFile } from '../port.ts';
import { type LocalReaderOptions, sandboxLimits } from './options.ts';

export async function recognise(
  file: SourceFile,
  place: Pick<PageInput, 'page' | 'part'>,
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<OcrPageOutput> {
  const { path, mediaType, password } = file;
  const { sandbox, maxPixels, languages } = options;
  const script = languages.length > 0 && languages.every(isEnglish) ? 'english' : 'latin';
  const input = { path, mediaType, password, ...place, maxPixels, script } as const;
  return sandbox.run('recognition.page', input, sandboxLimits(file, options, signal));
}

const isEnglish = (language: string): boolean => /^en/i.test(language);
