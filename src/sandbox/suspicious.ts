import type { ProblemCode } from '../domain/problem.ts';
import { PermanentError } from '../errors.ts';

/** What honest documents fail with every day. Any other failure may be the work of a hostile one. */
const harmless: ReadonlySet<ProblemCode> = new Set([
  'EMPTY_FILE',
  'INVALID_FILE',
  'NO_PAGES',
  'PASSWORD_PROTECTED',
  'TEXT_UNAVAILABLE',
  'TOO_MANY_PAGES',
  'UNSUPPORTED_TYPE',
]);

/** Whether the process in which a job failed like this should not be trusted with another. */
export function isSuspicious(error: unknown): boolean {
  return !(error instanceof PermanentError && harmless.has(error.code));
}
