import type { EmbeddedFile } from '../../../domain/transcription.ts';
import { PermanentError } from '../../../errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { SourceFile } from '../port.ts';

export interface Pdf {
  pages: number;
  /** Must be split before sending: the parts are not encrypted. */
  encrypted: boolean;
  /** Embedded files, which the vendor does not return. */
  embedded: EmbeddedFile[];
  /** Copies `count` pages from `first` (1-based) into a separate PDF. */
  cut(first: number, count: number): Promise<Buffer>;
}

/** Returns undefined if the file cannot be opened: the vendor's parser is more lenient. */
export type OpenPdf = (
  file: Pick<SourceFile, 'path' | 'password'>,
  signal: AbortSignal,
) => Promise<Pdf | undefined>;

/** Opens PDFs in sandbox processes, since their content is untrusted. */
export function openPdfIn(sandbox: Sandbox, timeoutMs: number): OpenPdf {
  return async ({ path, password }, signal) => {
    const options = { signal, timeoutMs };
    const file = { path, password, mediaType: 'application/pdf' };
    const input = { ...file, maxPages: 0, maxPixels: 0 };
    const facts = await sandbox.run('content.inspect', input, options).catch((error: unknown) => {
      const wrong =
        password !== undefined &&
        error instanceof PermanentError &&
        error.code === 'PASSWORD_PROTECTED';
      if (error instanceof PermanentError && !wrong) return undefined;
      throw error;
    });
    return (
      facts && {
        pages: facts.pages,
        encrypted: facts.encrypted && password !== undefined,
        embedded: facts.embedded,
        cut: async (first, count) =>
          Buffer.from(await sandbox.run('content.pdf', { ...file, first, count }, options)),
      }
    );
  };
}
