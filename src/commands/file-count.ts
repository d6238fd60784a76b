import { UsageError } from '../errors.ts';
import type { FoundFile, SkippedFile } from './files.ts';
import { note } from './note.ts';

/** Counts the files that a command finds, so that it can report what it skipped. */
export class FileCount {
  #found = 0;
  readonly #skipped = new Map<string, number>();

  /** Whether the file is to be taken in. */
  take(file: FoundFile | SkippedFile): file is FoundFile {
    if (!('skipped' in file)) {
      this.#found += 1;
      return true;
    }
    this.#skipped.set(file.skipped, (this.#skipped.get(file.skipped) ?? 0) + 1);
    return false;
  }

  /** Reports what was skipped. Throws if there was no file at all. */
  finish(paths: readonly string[]): void {
    const counts = [...this.#skipped].map(([reason, count]) => `${reason} (${count})`);
    if (counts.length > 0) note(`Skipped: ${counts.join(', ')}`);
    if (this.#found > 0) return;
    const hint = this.#skipped.has('symbolic link')
      ? 'Use --follow-links to include symbolic links.'
      : 'Name a file, or a folder that contains files which are not hidden.';
    throw new UsageError(`No files found in ${paths.join(', ')}.`, hint);
  }
}
