import { setupProblem } from '../db/setup-problem.ts';
import { SetupError, UsageError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';

export const exitCodes = {
  ok: 0,
  /** Millrace or a service it depends on failed. */
  internal: 1,
  /** The command line or its input is wrong. */
  usage: 2,
  /** The command ran, but some documents failed. */
  someFailed: 3,
} as const;

/** The message and the hint to show for an error. */
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

/** Prints the error to stderr and returns the exit code. */
export function explain(error: unknown): number {
  const { message, hint, expected } = explainError(error);
  process.stderr.write(`millrace: ${message}\n`);
  if (hint) process.stderr.write(`  ${hint}\n`);
  if (!expected && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? exitCodes.usage : exitCodes.internal;
}
