import type { BatchState } from './batch.ts';
import { startResult, startResults } from './batch-start.ts';

/** What decides when a document without a task gets one. */
export interface Admittance {
  /** The batch whose turn it waits for. */
  batch: { name: string; state: BatchState } | undefined;
  /** Documents of its workspace under way, and how many may be. */
  inFlight: number;
  window: number;
}

export const notAdmittedReasons = [
  'batch-not-started',
  'batch-waits',
  'batch-stands-still',
  'window-full',
  'not-admitted',
] as const;

/** Why a document has no task yet, in a sentence. */
export function whyNotAdmitted({ batch, inFlight, window }: Admittance): {
  reason: (typeof notAdmittedReasons)[number];
  message: string;
} {
  if (batch?.state === 'open')
    return { reason: 'batch-not-started', message: `Its batch ${batch.name} was not started yet.` };
  if (batch?.state === 'queued')
    return {
      reason: 'batch-waits',
      message: `Its batch ${batch.name} waits for its turn behind another.`,
    };
  if (batch && startResult(batch.state) === 'incomplete') {
    const message = `Its batch ${batch.name} is ${batch.state}. ${startResults.incomplete}`;
    return { reason: 'batch-stands-still', message };
  }
  if (inFlight >= window)
    return {
      reason: 'window-full',
      message: `${inFlight} documents of its workspace are under way, which is all it may have.`,
    };
  return {
    reason: 'not-admitted',
    message: 'It waits to be admitted at the next pass: no task was made for it yet.',
  };
}
