import { Link } from '@tanstack/react-router';
import type { ReviewFilter } from '../api/queries.ts';
import type { ReviewList } from '../api/types.ts';
import { formatName } from '../ui/format.ts';

/** How many wait, by type and by field in doubt. Each count is a filter. */
export function QueueCounts({
  counts: { open, byType, byField },
  filter,
}: {
  counts: ReviewList['counts'];
  filter: ReviewFilter;
}) {
  if (open === 0) return null;
  return (
    <nav className="chips" aria-label="Filters">
      <Link to="/review" search={{}} activeOptions={{ exact: true, includeSearch: true }}>
        All <b>{open}</b>
      </Link>
      {Object.entries(byType).map(([type, count]) => (
        <Link
          key={`type ${type}`}
          to="/review"
          search={{ ...filter, type: filter.type === type ? undefined : type }}
          className={filter.type === type ? 'chosen' : ''}
        >
          {formatName(type) || 'No type'} <b>{count}</b>
        </Link>
      ))}
      {Object.entries(byField).map(([field, count]) => (
        <Link
          key={`field ${field}`}
          to="/review"
          search={{ ...filter, reason: filter.reason === field ? undefined : field }}
          className={filter.reason === field ? 'chosen' : ''}
        >
          {formatName(field)} in doubt <b>{count}</b>
        </Link>
      ))}
    </nav>
  );
}
