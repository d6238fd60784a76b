import { Link, useNavigate } from '@tanstack/react-router';
import type { DocumentFilter } from '../api/queries.ts';

interface Props {
  filter: DocumentFilter;
  onChange: () => void;
}

/** Filters of the list. They are part of the address, so a link keeps them. */
export function Filters({ filter, onChange }: Props) {
  const navigate = useNavigate();
  const set = (changed: DocumentFilter) => {
    onChange();
    void navigate({ to: '/documents', search: { ...filter, ...changed } });
  };
  return (
    <search className="filters">
      <label>
        Status
        <select
          value={filter.status ?? ''}
          onChange={({ target }) => set({ status: target.value || undefined })}
        >
          <option value="">any</option>
          <option value="in-progress">in progress</option>
          <option value="completed">completed</option>
          <option value="failed">failed</option>
          <option value="cancelled">cancelled</option>
        </select>
      </label>
      <label>
        Review
        <select
          value={filter.needsReview ?? ''}
          onChange={({ target }) => set({ needsReview: target.value || undefined })}
        >
          <option value="">any</option>
          <option value="true">needed</option>
          <option value="false">not needed</option>
        </select>
      </label>
      {filter.batchId && (
        <span>
          In batch {filter.batchId}.{' '}
          <Link to="/documents" search={{ ...filter, batchId: undefined }} onClick={onChange}>
            All batches
          </Link>
        </span>
      )}
    </search>
  );
}
