import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reviewQueue } from '../api/queries.ts';
import type { Review } from '../api/types.ts';
import { caller } from '../caller.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { formatAge, formatName } from '../ui/format.ts';
import { Loading } from '../ui/loading.tsx';
import { QueueCounts } from './queue-counts.tsx';
import { useNextReview } from './use-next-review.ts';

const route = getRouteApi('/review');

/** The documents that wait for a person. */
export function QueuePage() {
  const filter = route.useSearch();
  const [cursor, setCursor] = useState<string>();
  const { data, error } = useQuery({ ...reviewQueue(filter, cursor), refetchInterval: 15_000 });
  const next = useNextReview(filter);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading what="the queue" />;
  const { counts, reviews, nextCursor } = data;
  return (
    <>
      <div className="heading">
        <h1>Review</h1>
        <button
          type="button"
          disabled={next.isPending || counts.open === 0}
          onClick={() => next.mutate()}
        >
          Review the next document
        </button>
      </div>
      {next.error && <ErrorNote error={next.error} />}
      {next.isEmpty && <p role="status">Nothing is left that nobody else holds.</p>}
      <QueueCounts counts={counts} filter={filter} />
      {reviews.length === 0 ? <EmptyQueue /> : <ReviewTable reviews={reviews} />}
      {nextCursor && (
        <button type="button" className="quiet" onClick={() => setCursor(nextCursor)}>
          Show more
        </button>
      )}
    </>
  );
}

function EmptyQueue() {
  return (
    <section className="note">
      <h2>Nothing waits for a review</h2>
      <p className="muted">Documents whose values are in doubt appear here by themselves.</p>
    </section>
  );
}

function ReviewTable({ reviews }: { reviews: Review[] }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th scope="col">Document</th>
          <th scope="col">Type</th>
          <th scope="col">Why</th>
          <th scope="col">Waiting since</th>
          <th scope="col">Held by</th>
        </tr>
      </thead>
      <tbody>
        {reviews.map(({ id, name, path, documentType, reasons, openedAt, assignee }) => (
          <tr key={id}>
            <td data-label="Document">
              <Link to="/review/$id" params={{ id }} search={{}}>
                {path ?? name}
              </Link>
            </td>
            <td data-label="Type">{documentType ? formatName(documentType) : '–'}</td>
            <td data-label="Why">{reasons[0] ?? '–'}</td>
            <td data-label="Waiting since">{formatAge(openedAt)}</td>
            <td data-label="Held by">{holder(assignee)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function holder(assignee: string | null): string {
  if (assignee === null) return 'nobody';
  return assignee === caller.keyId ? 'you' : `key ${assignee}`;
}
