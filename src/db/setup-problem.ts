import { SetupError } from '../errors.ts';
import { isOutage } from './outage.ts';
import { readOnly } from './writable.ts';

const checkLogin = 'Check the user and the password in DATABASE_URL.';

/** By SQLSTATE. */
const explanations: Record<string, [sentence: string, hint: string]> = {
  '25006': readOnly,
  '28000': ['Postgres refused the login', checkLogin],
  '28P01': ['Postgres refused the login', checkLogin],
  '3D000': ['The database does not exist', 'Create it, or correct DATABASE_URL.'],
  '42501': [
    'The database user lacks a permission',
    'Make the user in DATABASE_URL the owner of the database, or at least of its schema.',
  ],
  '42P01': ['The database has not been migrated', 'Run `millrace migrate`.'],
};

/** Explains configuration and connection errors of the database; undefined for other errors. */
export function setupProblem(error: unknown): SetupError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as NodeJS.ErrnoException;
  const [sentence, hint] = explanations[code] ?? [];
  if (sentence && hint)
    return new SetupError(`${sentence}: ${error.message}`, hint, { cause: error });
  const inner = setupProblem(error.cause);
  if (inner || !isOutage(error)) return inner;
  const hintOfOutage = 'Check DATABASE_URL, and that the server is running.';
  return new SetupError(`Postgres does not answer: ${error.message}`, hintOfOutage, {
    cause: error,
  });
}
