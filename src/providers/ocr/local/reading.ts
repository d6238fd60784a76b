import type { Problem } from '../../../domain/problem.ts';
import type { EmbeddedFile, Page } from '../../../domain/transcription.ts';

/** What was read of one page. */
export interface Verdict {
  page: Page;
  problem?: Problem;
}

/** What was read from a file. */
export interface Reading {
  pages: Page[];
  embedded: EmbeddedFile[];
  problems: Problem[];
}
