import type { BatchState } from './batch.ts';
import { startResult, startResults } from './batch-start.ts';

/** What decides when a document gets its first task. */
export interface Admittance {
  /** The batch that must have the turn first. */
  batch: { name: string; state: BatchState; stuckAt: string | null } | undefined;
  /** Documents of the workspace in progress, and how many may be. */
  inFlight: number;
  window: number;
}

export const notAdmittedReasons = [
  'batch-not-started',
  'batch-waits',
  'batch-stands-still',
  'batch-stuck',
  'window-full',
  'not-admitted',
] as const;

/** Why a document has no task yet. */
export function whyNotAdmitted({ batch, inFlight, window }: Admittance): {
  reason: (typeof notAdmittedReasons)[number];
  message: string;
} {
  if (batch?.state === 'open')
    return {
      reason: 'batch-not-started',
      message: `The batch ${batch.name} has not been started. Start it with: millrace batch start.`,
    };
  if (batch?.state === 'queued')
    return {
      reason: 'batch-waits',
      message: `The batch ${batch.name} is queued behind another batch of the workspace.`,
    };
  if (batch?.state === 'paused' && batch.stuckAt) {
    const since = new Date(batch.stuckAt).toISOString();
    const message = `The batch ${batch.name} gave up its turn at ${since} because none of its documents in progress had ended for long. It queues again when one of them ends, or with: millrace batch resume.`;
    return { reason: 'batch-stuck', message };
  }
  if (batch && startResult(batch.state) === 'incomplete') {
    const message = `The batch ${batch.name} is ${batch.state}. ${startResults.incomplete}`;
    return { reason: 'batch-stands-still', message };
  }
  if (inFlight >= window)
    return {
      reason: 'window-full',
      message: `The workspace is at its concurrency limit (${inFlight} documents in progress).`,
    };
  return {
    reason: 'not-admitted',
    message: 'The document has no task yet. The next admission pass creates one.',
  };
}
