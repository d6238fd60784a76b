import type { RunnerOptions } from '../../src/engine/task/runner.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';

/** Settings of an engine that announces nothing: tests run its tasks themselves. */
export function runnerOptions(worker: string, first = 'claim'): RunnerOptions {
  return {
    worker,
    leaseMs: MINUTE,
    first,
    giveUpMs: HOUR,
    maxAttempts: 3,
    largeFrom: { bytes: 2 ** 30, pages: 1000 },
    overrides: {},
    announce: async () => undefined,
  };
}
