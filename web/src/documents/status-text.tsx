import type { Document } from '../api/types.ts';

/** The state of a document in a few words. */
export function StatusText({ document }: { document: Document }) {
  const { status, stages, needsReview } = document;
  if (status === 'in-progress')
    return <>in progress{stages.length > 0 && `, after ${stages.at(-1)}`}</>;
  if (status === 'failed') return <span className="problem">failed</span>;
  if (needsReview) return <span className="doubt">needs review</span>;
  return <span className={status === 'completed' ? 'good' : 'muted'}>{status}</span>;
}
