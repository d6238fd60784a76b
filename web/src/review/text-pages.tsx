import { useQuery } from '@tanstack/react-query';
import { textOf } from '../api/queries.ts';
import type { Evidence } from '../api/types.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { MarkedText } from './marked-text.tsx';

/** The text of a document without page images, with the evidence marked. */
export function TextPages({ id, evidence }: { id: string; evidence: Evidence | undefined }) {
  const { data: pages, error } = useQuery(textOf(id));
  if (error) return <ErrorNote error={error} />;
  return pages?.map(({ number, text }) => (
    <figure key={number}>
      <figcaption className="muted">Page {number}</figcaption>
      <MarkedText
        text={text}
        mark={evidence && (evidence.page ?? number) === number ? evidence.text : undefined}
      />
    </figure>
  ));
}
