import { SetupError } from '../errors.ts';
import { isOutage } from './outage.ts';

const wayIn = 'Check the user and the password in DATABASE_URL.';

/** By SQLSTATE. */
const explanations: Record<string, [sentence: string, hint: string]> = {
  '28000': ['Postgres does not let us in', wayIn],
  '28P01': ['Postgres does not let us in', wayIn],
  '3D000': ['There is no such database', 'Create it, or correct DATABASE_URL.'],
  '42501': [
    'Postgres does not allow it',
    'Let the user of DATABASE_URL own its database, or at least its schema.',
  ],
  '42P01': ['The database was not set up for Millrace yet', 'Run `millrace migrate`.'],
};

/** What is wrong with the database or the way to it, for whoever configured it; undefined where it is something else. */
export function setupProblem(error: unknown): SetupError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as NodeJS.ErrnoException;
  const [sentence, hint] = explanations[code] ?? [];
  if (sentence && hint)
    return new SetupError(`${sentence}: ${error.message}`, hint, { cause: error });
  const inner = setupProblem(error.cause);
  if (inner || !isOutage(error)) return inner;
  const hintOfOutage = 'Check DATABASE_URL and that the server runs.';
  return new SetupError(`Postgres does not answer: ${error.message}`, hintOfOutage, {
    cause: error,
  });
}
