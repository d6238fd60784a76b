import { Link } from '@tanstack/react-router';
import type { ReviewFilter } from '../api/queries.ts';
import { ApiError } from '../api/request.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useNextReview } from './use-next-review.ts';

/** The review cannot be claimed: somebody else holds it, or it is settled. */
export function TakenNote({
  error,
  filter,
  id,
}: {
  error: unknown;
  filter: ReviewFilter;
  id: string;
}) {
  const next = useNextReview(filter);
  if (!(error instanceof ApiError) || error.status !== 409) return <ErrorNote error={error} />;
  return (
    <section className="note" role="alert">
      <h1>You cannot review this document now</h1>
      <p>{error.message}</p>
      <p className="muted">A claim ends 15 minutes after its holder closed the page.</p>
      <p className="actions">
        <button type="button" onClick={() => next.mutate()}>
          Review the next document
        </button>
        <Link to="/documents/$id" params={{ id }}>
          Only look at it
        </Link>
        <Link to="/review" search={filter}>
          Back to the queue
        </Link>
      </p>
      {next.isEmpty && <p role="status">Nothing is left that nobody else holds.</p>}
    </section>
  );
}
