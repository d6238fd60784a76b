import { PermanentError } from '../errors.ts';

export interface Candidate {
  /** Undefined: without a password. */
  password: string | undefined;
  /** Names the password in events; never the password itself. */
  label?: string | undefined;
}

/**
 * Tries passwords one after the other until one opens the file, and tells which one did. An attempt
 * reports a wrong password with PASSWORD_PROTECTED; any other error ends the attempts.
 */
export async function tryPasswords<T>(
  candidates: readonly Candidate[],
  attempt: (password: string | undefined) => Promise<T>,
): Promise<{ result: T; opened: Candidate }> {
  let refusal: unknown = new PermanentError('PASSWORD_PROTECTED', 'The file is encrypted');
  for (const opened of candidates) {
    try {
      return { result: await attempt(opened.password), opened };
    } catch (error) {
      if (!isLocked(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

export function isLocked(error: unknown): boolean {
  return error instanceof PermanentError && error.code === 'PASSWORD_PROTECTED';
}
