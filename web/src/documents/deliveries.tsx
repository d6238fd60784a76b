import { useQuery } from '@tanstack/react-query';
import { deliveriesOf } from '../api/queries.ts';
import { formatTime } from '../ui/format.ts';

/** Where a document was delivered to. */
export function Deliveries({ id }: { id: string }) {
  const { data } = useQuery(deliveriesOf(id));
  if (!data || data.deliveries.length === 0) return null;
  return (
    <section className="panel">
      <h2>Deliveries</h2>
      <ul>
        {data.deliveries.map(({ id: delivery, destinationId, status, createdAt }) => (
          <li key={delivery}>
            {formatTime(createdAt)} to {destinationId}: {status}
          </li>
        ))}
      </ul>
    </section>
  );
}
