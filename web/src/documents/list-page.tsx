import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { documentList } from '../api/queries.ts';
import type { Document } from '../api/types.ts';
import { mayUse } from '../caller.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { formatAge, formatBytes, formatName } from '../ui/format.ts';
import { Loading } from '../ui/loading.tsx';
import { DropZone } from './drop-zone.tsx';
import { Filters } from './filters.tsx';
import { StatusText } from './status-text.tsx';
import { useLive } from './use-live.ts';

const route = getRouteApi('/documents');

/** Upload, filters, and the documents that match them; updated as they move. */
export function ListPage() {
  const filter = route.useSearch();
  const [cursor, setCursor] = useState<string>();
  const { data, error } = useQuery(documentList(filter, cursor));
  useLive(['documents']);
  return (
    <>
      <div className="heading">
        <h1>Documents</h1>
      </div>
      {mayUse('documents:write') && <DropZone />}
      <Filters filter={filter} onChange={() => setCursor(undefined)} />
      {error && <ErrorNote error={error} />}
      {!data && !error && <Loading what="documents" />}
      {data?.documents.length === 0 && (
        <section className="note">
          <h2>No documents</h2>
          <p className="muted">Nothing matches. Drop files above, or change the filters.</p>
        </section>
      )}
      {data && data.documents.length > 0 && <DocumentTable documents={data.documents} />}
      <p className="actions">
        {cursor && (
          <button type="button" className="quiet" onClick={() => setCursor(undefined)}>
            Newest
          </button>
        )}
        {data?.nextCursor && (
          <button type="button" className="quiet" onClick={() => setCursor(data.nextCursor ?? '')}>
            Older
          </button>
        )}
      </p>
    </>
  );
}

function DocumentTable({ documents }: { documents: Document[] }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col">Type</th>
          <th scope="col">Size</th>
          <th scope="col">Added</th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <tr key={document.id}>
            <td data-label="Name">
              <Link to="/documents/$id" params={{ id: document.id }}>
                {document.path ?? document.name}
              </Link>
            </td>
            <td data-label="Status">
              <StatusText document={document} />
            </td>
            <td data-label="Type">
              {document.documentType ? formatName(document.documentType) : '–'}
            </td>
            <td data-label="Size">{formatBytes(document.bytes)}</td>
            <td data-label="Added">{formatAge(document.createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
