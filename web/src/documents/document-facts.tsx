import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { whyOf } from '../api/queries.ts';
import type { Document } from '../api/types.ts';
import { formatBytes, formatName, formatTime } from '../ui/format.ts';
import { StatusText } from './status-text.tsx';

/** Status, stages, and the place of a document among others. */
export function DocumentFacts({ document }: { document: Document }) {
  const { id, stages, documentType, bytes, mediaType, pages, createdAt, completedAt } = document;
  const { data: why } = useQuery(whyOf(id));
  return (
    <section className="panel">
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <StatusText document={document} />
        </dd>
        <dt>Now</dt>
        <dd>{why?.message ?? '…'}</dd>
        <dt>Stages</dt>
        <dd>{stages.join(' → ') || 'none yet'}</dd>
        <dt>Type</dt>
        <dd>{documentType ? formatName(documentType) : '–'}</dd>
        <dt>File</dt>
        <dd>
          {mediaType ?? 'type not known yet'}, {formatBytes(bytes)}
          {pages !== null && `, ${pages} page${pages === 1 ? '' : 's'}`}
        </dd>
        <dt>Added</dt>
        <dd>{formatTime(createdAt)}</dd>
        {completedAt && (
          <>
            <dt>Completed</dt>
            <dd>{formatTime(completedAt)}</dd>
          </>
        )}
        <Family document={document} />
      </dl>
    </section>
  );
}

function Family({ document: { parentId, attachmentRange, batchId } }: { document: Document }) {
  const { count = 0, first } = attachmentRange ?? {};
  return (
    <>
      {parentId && (
        <>
          <dt>Contained in</dt>
          <dd>
            <Link to="/documents/$id" params={{ id: parentId }}>
              its container
            </Link>
          </dd>
        </>
      )}
      {first && (
        <>
          <dt>Contains</dt>
          <dd>
            {count} {count === 1 ? 'document' : 'documents'}, from{' '}
            <Link to="/documents/$id" params={{ id: first }}>
              the first
            </Link>
          </dd>
        </>
      )}
      {batchId && (
        <>
          <dt>Batch</dt>
          <dd>
            <Link to="/documents" search={{ batchId }}>
              {batchId}
            </Link>
          </dd>
        </>
      )}
    </>
  );
}
