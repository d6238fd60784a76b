import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';

/** Runs a check of a target that the caller supplied. Its errors become UsageErrors (400). */
export function asUsageError<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof OutgoingError) throw new UsageError(error.message);
    if (error instanceof z.ZodError) {
      const issues = error.issues.map(
        ({ path, message }) => `${path.join('.') || 'value'}: ${message}`,
      );
      throw new UsageError(issues.join('; '));
    }
    throw error;
  }
}
