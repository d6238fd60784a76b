import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { documentOf, schemaOf } from '../api/queries.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { ReviewDesk } from './review-desk.tsx';
import { TakenNote } from './taken-note.tsx';
import { useClaim } from './use-claim.ts';
import { usePrefetch } from './use-prefetch.ts';

const route = getRouteApi('/review/$id');

/** Claims one document, loads it, and shows it beside its values. */
export function ReviewPage() {
  const { id } = route.useParams();
  const filter = route.useSearch();
  const claim = useClaim(id);
  const { data: document, error } = useQuery(documentOf(id));
  const type = document?.documentType;
  const schema = useQuery({ ...schemaOf(type ?? ''), enabled: Boolean(type) });
  usePrefetch(filter, id);
  if (claim.error) return <TakenNote error={claim.error} filter={filter} id={id} />;
  if (error ?? schema.error) return <ErrorNote error={error ?? schema.error} />;
  if (!document || !claim.review || (type && !schema.data)) return <Loading what="the document" />;
  if (!schema.data)
    return (
      <section className="note">
        <h1>{document.name}</h1>
        <p>No data was extracted from this document, so there are no values to review.</p>
        <Link to="/documents/$id" params={{ id }}>
          Open the document
        </Link>
      </section>
    );
  return <ReviewDesk key={id} document={document} schema={schema.data} filter={filter} />;
}
