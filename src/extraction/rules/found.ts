import type { Evidence } from '../../domain/extraction.ts';
import type { Reading } from '../layout/reading.ts';

/** A value with the place it was read from and how sure the rule is, from 0 to 1. */
export interface Found {
  value: unknown;
  evidence: Evidence;
  score: number;
}

export type Finder = (reading: Reading) => Found | undefined;
