import type { EmbeddedFile } from '../../../domain/transcription.ts';
import { PermanentError } from '../../../errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { SourceFile } from '../port.ts';

/** A PDF that can be cut into smaller ones. */
export interface Pdf {
  pages: number;
  /** Only its cuts can be read by others. */
  encrypted: boolean;
  /** Data that the vendor does not hand on. */
  embedded: EmbeddedFile[];
  /** The pages from `first` (1-based) on, as a file of their own. */
  cut(first: number, count: number): Promise<Buffer>;
}

/**
 * Undefined for a file that it cannot open: the vendor's parser is more lenient and has the last word on it.
 */
export type OpenPdf = (
  file: Pick<SourceFile, 'path' | 'password'>,
  signal: AbortSignal,
) => Promise<Pdf | undefined>;

/** Opens PDFs in child processes: they are hostile. */
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
