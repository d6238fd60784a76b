import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { pagesOf } from '../api/queries.ts';
import type { Document, Evidence } from '../api/types.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageImage } from './page-image.tsx';
import { TextPages } from './text-pages.tsx';

interface Props {
  document: Document;
  evidence: Evidence | undefined;
}

/** The pages of a document, with the place that the focused value was read from. */
export function PageView({ document: { id, name, links }, evidence }: Props) {
  const { data, error } = useQuery({ ...pagesOf(id), enabled: Boolean(links.text) });
  const view = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the place changes
  useEffect(() => {
    if (view.current) showPlace(view.current);
  }, [evidence]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className="pages" aria-label={`Pages of ${name}`} ref={view} tabIndex={0}>
      <p className="muted">
        <a href={links.original}>Download the original</a>
      </p>
      {error && <ErrorNote error={error} />}
      {!links.text && <p>It has no text.</p>}
      {!data && !error && links.text && <Loading what="the pages" />}
      {data?.images === false && <TextPages id={id} evidence={evidence} />}
      {data?.images &&
        data.pages.map((page) => (
          <PageImage
            key={page.number}
            documentId={id}
            page={page}
            place={evidence?.page === page.number ? evidence.relativeBox : undefined}
          />
        ))}
    </section>
  );
}

/** Scrolls the pages only: the field that has the focus must stay where it is. */
function showPlace(view: HTMLElement): void {
  const place = view.querySelector('mark, .place');
  if (!place) return;
  const { top } = place.getBoundingClientRect();
  view.scrollTop += top - view.getBoundingClientRect().top - view.clientHeight / 2;
}
