import { refusal } from '../domain/batch.ts';
import { startResults } from '../domain/batch-start.ts';
import type { Started } from '../lifecycle/batch/start.ts';
import { HttpError } from './http-error.ts';
import { unavailable } from './problem-json.ts';

/** The error for a batch that was not started: the result, and a hint on what to do. */
export function startRefusal(started: Started): HttpError {
  const { result } = started;
  const hint = startResults[result];
  const details = { result };
  if (result === 'database-error')
    return new HttpError('The batch could not be read: the database cannot be reached.', {
      ...unavailable,
      hint,
      details,
      cause: started.cause,
    });
  return new HttpError(refusal(started.batch.state, 'start'), {
    status: 409,
    code: 'CONFLICT',
    hint,
    details,
  });
}
