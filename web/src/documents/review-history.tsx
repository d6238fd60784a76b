import { useQuery } from '@tanstack/react-query';
import { reviewOf } from '../api/queries.ts';
import type { ReviewChange } from '../api/types.ts';
import { mayUse } from '../caller.ts';
import { formatName, formatTime, formatValue } from '../ui/format.ts';

/** Who changed or settled what, oldest first. */
export function ReviewHistory({ id }: { id: string }) {
  const { data } = useQuery({ ...reviewOf(id), enabled: mayUse('review:read') });
  if (!data || data.history.length === 0) return null;
  return (
    <section className="panel">
      <h2>Review</h2>
      <ol>
        {data.history.map((change) => (
          <li key={change.id}>
            {formatTime(change.createdAt)}: key {change.actor} {change.action}
            {describeChange(change)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function describeChange({ changes, reason }: ReviewChange): string {
  const parts = changes.map(
    ({ field, from, to }) => `${formatName(field)} from ${formatValue(from)} to ${formatValue(to)}`,
  );
  const text = [...parts, ...(reason ? [reason] : [])].join(', ');
  return text && `: ${text}`;
}
