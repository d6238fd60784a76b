import type { Evidence } from '../../domain/extraction.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';

/** A value with its location and the certainty of the rule, from 0 to 1. */
export interface Found {
  value: unknown;
  evidence: Evidence;
  score: number;
}

export type Finder = (reading: LayoutReading) => Found | undefined;
