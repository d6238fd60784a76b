import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';

/** Something that is measured; each can run alone. */
export interface Part {
  /** What it needs and does not find here, if anything: then it is left out, and the report says so. */
  lacks?(): Promise<string | undefined>;
  run(bench: Bench): Promise<Figure[]>;
}
