import type { Evidence } from '../../domain/extraction.ts';

/** Where the gate itself found a value. */
export interface ValueLocation {
  evidence: Evidence;
  /** Confidence of the least certain word of the value. */
  confidence: number;
}
