import { type ProblemCode, problems } from '../domain/problem.ts';
import { PermanentError } from '../errors.ts';
import { SandboxCrashError, SandboxTimeoutError } from '../sandbox/errors.ts';
import { HttpError } from './http-error.ts';

/** What is wrong with a document that cannot be shown: a 422 with its problem code. */
export function toRenditionProblem(error: unknown): unknown {
  const code = codeOf(error);
  if (!code || !(error instanceof Error)) return error;
  return new HttpError(error.message, {
    status: 422,
    code,
    hint: problems[code],
    cause: error,
  });
}

function codeOf(error: unknown): ProblemCode | undefined {
  if (error instanceof PermanentError) return error.code;
  if (error instanceof SandboxTimeoutError) return 'TOO_SLOW';
  return error instanceof SandboxCrashError && error.outOfMemory ? 'OUT_OF_MEMORY' : undefined;
}
