import { setupProblem } from '../db/setup-problem.ts';
import { SetupError, UsageError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';

export const exitCodes = {
  ok: 0,
  /** Millrace or its surroundings failed. */
  internal: 1,
  /** The command was not understood. */
  usage: 2,
  /** It ran, and some documents failed. */
  someFailed: 3,
} as const;

/** Says on stderr what went wrong and what to do; answers the exit code. */
export function explain(thrown: unknown): number {
  const error = setupProblem(thrown) ?? thrown;
  const expected = error instanceof SetupError || error instanceof UsageError;
  process.stderr.write(`millrace: ${expected ? error.message : describeError(error)}\n`);
  if (expected && error.hint) process.stderr.write(`  ${error.hint}\n`);
  if (!expected && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? exitCodes.usage : exitCodes.internal;
}
