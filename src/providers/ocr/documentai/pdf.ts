import type { EmbeddedFile } from '../../../domain/transcription.ts';
import { PermanentError } from '../../../errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';

/** A PDF that can be cut into smaller ones. */
export interface Pdf {
  pages: number;
  /** Data that the vendor does not hand on. */
  embedded: EmbeddedFile[];
  /** The pages from `first` (1-based) on, as a file of their own. */
  cut(first: number, count: number): Promise<Buffer>;
}

/**
 * Undefined for a file that it cannot open: the vendor's parser is more lenient and has the last word on it.
 */
export type OpenPdf = (path: string, signal: AbortSignal) => Promise<Pdf | undefined>;

/** Opens PDFs in child processes: they are hostile. */
export function openPdfIn(sandbox: Sandbox, timeoutMs: number): OpenPdf {
  return async (path, signal) => {
    const options = { signal, timeoutMs };
    const facts = await sandbox.run('pdf.inspect', { path, maxPages: 0 }, options).catch((error: unknown) => {
      if (error instanceof PermanentError) return undefined;
      throw error;
    });
    return (
      facts && {
        pages: facts.pages,
        embedded: facts.embedded,
        cut: async (first, count) => Buffer.from(await sandbox.run('pdf.cut', { path, first, count }, options)),
      }
    );
  };
}
