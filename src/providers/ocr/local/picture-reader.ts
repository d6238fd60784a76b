import type { SavedPicture } from '../../../content/format.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { Box } from '../../../domain/transcription.ts';
import { describeError } from '../../../lib/describe-error.ts';
import type { OcrPageOutput } from '../../../recognition/page.ts';
import type { SourceFile } from '../port.ts';
import { recognise } from './ocr.ts';
import type { LocalReaderOptions } from './options.ts';

/** Below this mean confidence, letters were guessed from the shapes in a photo. */
const minConfidence = 0.6;

/**
 * Reads pictures inside a document that has text of its own. A picture that fails never fails the
 * document: all of them together are reported as one problem.
 */
export class PictureReader {
  readonly #file: SourceFile;
  readonly #options: LocalReaderOptions;
  #total = 0;
  #leftOut = 0;
  readonly #failures: string[] = [];

  constructor(file: SourceFile, options: LocalReaderOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** A picture that was saved from the document. */
  async readSaved({ path, mediaType }: SavedPicture, stop: AbortSignal) {
    const file = { ...this.#file, path, mediaType, password: undefined };
    return this.#read(stop, () => recognise(file, { page: 1 }, this.#options, stop));
  }

  /** A part of a page. */
  async readPart({ page, box: part }: { page: number; box: Box }, stop: AbortSignal) {
    return this.#read(stop, () => recognise(this.#file, { page, part }, this.#options, stop));
  }

  /** Notes pictures beyond the limit. */
  leaveOut(count: number): void {
    this.#leftOut += count;
    this.#total += count;
  }

  get problems(): Problem[] {
    const unread = this.#failures.length + this.#leftOut;
    if (unread === 0) return [];
    const [reason = 'the limit per document was reached (MILLRACE_INLINE_OCR_PICTURES)'] =
      this.#failures;
    const message = `${unread} of ${this.#total} pictures in the document were not read: ${reason}`;
    return [{ code: 'OCR_SKIPPED', message }];
  }

  async #read(
    stop: AbortSignal,
    look: () => Promise<OcrPageOutput>,
  ): Promise<OcrPageOutput | undefined> {
    this.#total += 1;
    try {
      const seen = await look();
      return isLegible(seen) ? seen : undefined;
    } catch (error) {
      if (stop.aborted) throw error;
      this.#failures.push(describeError(error));
      return undefined;
    }
  }
}

function isLegible({ words }: OcrPageOutput): boolean {
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return words.length > 0 && sum / words.length >= minConfidence;
}
