import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';

/** A benchmark that can run on its own. */
export interface Part {
  /** A missing requirement, if any. The part is then skipped, and the report says why. */
  lacks?(): Promise<string | undefined>;
  run(bench: Bench): Promise<Figure[]>;
}
