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

/** What went wrong and what to do about it, for people. */
export function explainError(thrown: unknown): {
  message: string;
  hint: string | undefined;
  expected: boolean;
} {
  const error = isExpected(thrown) ? thrown : setupProblem(thrown);
  if (error) return { message: error.message, hint: error.hint, expected: true };
  return { message: describeError(thrown), hint: undefined, expected: false };
}

function isExpected(error: unknown): error is SetupError | UsageError {
  return error instanceof SetupError || error instanceof UsageError;
}

/** Says it on stderr; answers the exit code. */
export function explain(error: unknown): number {
  const { message, hint, expected } = explainError(error);
  process.stderr.write(`millrace: ${message}\n`);
  if (hint) process.stderr.write(`  ${hint}\n`);
  if (!expected && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? exitCodes.usage : exitCodes.internal;
}
