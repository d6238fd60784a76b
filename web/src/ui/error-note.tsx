import { ApiError } from '../api/request.ts';

/** An error in words, with what to do about it. */
export function ErrorNote({ error }: { error: unknown }) {
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <section className="note error" role="alert">
      <h2>{isForbidden ? 'Your key does not allow this' : 'That did not work'}</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof ApiError && error.hint && <p className="muted">{error.hint}</p>}
    </section>
  );
}
