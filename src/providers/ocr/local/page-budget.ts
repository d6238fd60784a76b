import { LargeDocumentError, PermanentError } from '../../../errors.ts';
import { describeError } from '../../../lib/describe-error.ts';
import { SandboxCpuError } from '../../../sandbox/errors.ts';
import type { SourceFile } from '../port.ts';

/** A document may lose a few pages. One that loses more is made to cost time. */
const lostPagesAtMost = 3;

/**
 * What happens when pages use up their CPU time. The first such page moves the document to the
 * large lane, where it keeps no small document waiting. There the page is lost, not the document.
 */
export class PageBudget {
  readonly #mayMove: boolean;
  #lost = 0;

  constructor({ largeFrom }: SourceFile) {
    this.#mayMove = largeFrom !== undefined;
  }

  /** Reads the file as a whole: without this, no page can be read. */
  async orReject<T>(read: () => Promise<T>): Promise<T> {
    return this.#spend(read, (reason) => {
      throw new PermanentError('TOO_SLOW', `The document cannot be opened: ${reason}`);
    });
  }

  /** Reads several pages. If they use too much together, each is read with a budget of its own. */
  async orSplit<T>(read: () => Promise<T>, readEach: () => Promise<T>): Promise<T> {
    return this.#spend(read, readEach);
  }

  async orLosePage<T>(read: () => Promise<T>, onLost: (reason: string) => T): Promise<T> {
    return this.#spend(read, (reason) => {
      this.#lost += 1;
      if (this.#lost > lostPagesAtMost)
        throw new PermanentError(
          'TOO_SLOW',
          `More than ${lostPagesAtMost} pages of the document are too slow to be read: ${reason}`,
        );
      return onLost(reason);
    });
  }

  async #spend<T>(
    read: () => Promise<T>,
    onExceeded: (reason: string) => T | Promise<T>,
  ): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SandboxCpuError)) throw error;
      if (this.#mayMove) throw new LargeDocumentError(error.message, { cause: error });
      return onExceeded(error.message);
    }
  }
}

/** Reads part of a file. In salvage mode, a part that fails is skipped instead of the document. */
export async function orSkipPage<T>(
  { salvage }: SourceFile,
  stop: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
  onSkip: (reason: string) => T,
): Promise<T> {
  if (!salvage) return read(stop);
  try {
    return await read(AbortSignal.any([stop, salvage]));
  } catch (error) {
    if (stop.aborted) throw error;
    return onSkip(salvage.aborted ? 'the time limit was reached' : describeError(error));
  }
}
