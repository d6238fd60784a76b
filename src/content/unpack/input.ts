import type { UnpackLimits } from '../container.ts';

export interface UnpackInput {
  path: string;
  /** Where the files go, each by its position: names of entries never become names of files. */
  directory: string;
  limits: UnpackLimits;
}
