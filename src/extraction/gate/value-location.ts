import type { Evidence } from '../../domain/extraction.ts';

/** Where the gate itself found a value. */
export interface ValueLocation {
  evidence: Evidence;
  /** Of the least certain word the value stands on. */
  confidence: number;
}
