import { ApiError } from '../api/request.ts';
import { ErrorNote } from '../ui/error-note.tsx';

/** A 409 says that somebody else was faster: explains it, and offers the current values. */
export function ConflictNote({ error, onReload }: { error: unknown; onReload: () => void }) {
  if (!error) return null;
  if (!(error instanceof ApiError) || error.status !== 409) return <ErrorNote error={error} />;
  return (
    <section className="note error" role="alert">
      <h2>Somebody else was faster</h2>
      <p>{error.message}</p>
      <p className="muted">What you typed is kept. Load the current values, and compare.</p>
      <button type="button" onClick={onReload}>
        Load the current values
      </button>
    </section>
  );
}
