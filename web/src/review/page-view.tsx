import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { textOf } from '../api/queries.ts';
import type { Document, Evidence } from '../api/types.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { MarkedText } from './marked-text.tsx';

interface Props {
  document: Document;
  evidence: Evidence | undefined;
}

/** What the document says, with the place that the focused value was read from. */
export function PageView({ document: { id, name, links }, evidence }: Props) {
  const { data: pages, error } = useQuery({ ...textOf(id), enabled: Boolean(links.text) });
  const view = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the place changes
  useEffect(() => {
    view.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [evidence]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className="pages" aria-label={`Text of ${name}`} ref={view} tabIndex={0}>
      <p className="muted">
        <a href={links.original}>Download the original</a>
      </p>
      {error && <ErrorNote error={error} />}
      {!pages && !error && (links.text ? <Loading what="the text" /> : <p>It has no text.</p>)}
      {pages?.map(({ number, text }) => (
        <figure key={number}>
          <figcaption className="muted">Page {number}</figcaption>
          <MarkedText
            text={text}
            mark={evidence && (evidence.page ?? number) === number ? evidence.text : undefined}
          />
        </figure>
      ))}
    </section>
  );
}
