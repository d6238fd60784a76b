import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { documentOf } from '../api/queries.ts';
import type { Document } from '../api/types.ts';
import { mayUse } from '../caller.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { Deliveries } from './deliveries.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentText } from './document-text.tsx';
import { Facts } from './facts.tsx';
import { FieldTable } from './field-table.tsx';
import { ReviewHistory } from './review-history.tsx';
import { useLive } from './use-live.ts';

const route = getRouteApi('/documents/$id');

/** Everything that is known about one document. */
export function DetailPage() {
  const { id } = route.useParams();
  const { data: document, error } = useQuery(documentOf(id));
  useLive(['document', 'why', 'deliveries', 'review'], id);
  if (error) return <ErrorNote error={error} />;
  if (!document) return <Loading what="the document" />;
  const { raw, ...metadata } = document.metadata ?? {};
  return (
    <>
      <div className="heading">
        <h1>{document.path ?? document.name}</h1>
        <p className="actions">
          <a href={document.links.original}>Download the original</a>
          {document.review?.state === 'open' && mayUse('review:write') && (
            <Link to="/review/$id" params={{ id }} search={{}}>
              Review it
            </Link>
          )}
        </p>
      </div>
      <DocumentFacts document={document} />
      <Problems problems={document.problems} />
      {document.structuredData && <FieldTable document={document} />}
      {document.review && <ReviewHistory id={id} />}
      {mayUse('deliveries:read') && <Deliveries id={id} />}
      {document.metadata && <Facts title="Metadata" values={metadata} />}
      {document.links.text && <DocumentText id={id} />}
    </>
  );
}

function Problems({ problems }: Pick<Document, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <section className="panel">
      <h2>Problems</h2>
      {problems.map(({ code, message, hint }) => (
        <p key={code + message}>
          <span className="problem">{message}</span> <span className="muted">{hint}</span>
        </p>
      ))}
    </section>
  );
}
