import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReviewFilter } from '../api/queries.ts';
import type { Document, Schema, Verdict } from '../api/types.ts';
import { formatName } from '../ui/format.ts';
import { ConflictNote } from './conflict-note.tsx';
import { FieldList } from './field-list.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { PageView } from './page-view.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { useDesk } from './use-desk.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface DeskProps {
  document: Document;
  schema: Schema;
  filter: ReviewFilter;
}

const noVerdict: Verdict = { valid: false, fields: {}, reasons: [] };

/** The document on the left, its values on the right, and the decision below. */
export function ReviewDesk({ document, schema, filter }: DeskProps) {
  const desk = useDesk({ document, schema, filter });
  const [field, setField] = useState<string>();
  const [dialog, setDialog] = useState<'keys' | 'reject'>();
  const close = () => setDialog(undefined);
  useShortcuts(
    {
      a: desk.approve,
      r: () => setDialog('reject'),
      j: desk.next,
      k: desk.previous,
      '?': () => setDialog('keys'),
    },
    { isActive: dialog === undefined, submit: desk.approve },
  );
  const verdict = document.verdict ?? noVerdict;
  const { title = formatName(schema.name) } = schema.definition;
  return (
    <div className="desk">
      <PageView
        document={document}
        evidence={field ? verdict.fields[field]?.evidence : undefined}
      />
      <section className="values" aria-label="Values">
        <header>
          <h1>{document.path ?? document.name}</h1>
          <p className="about muted">
            {title} ·{' '}
            <Link to="/documents/$id" params={{ id: document.id }}>
              all about it
            </Link>
          </p>
          <Doubts reasons={verdict.reasons} />
        </header>
        <ConflictNote error={desk.error} onReload={desk.reload} />
        <FieldList desk={desk} schema={schema} verdict={verdict} onFocus={setField} />
        <footer className="actions">
          <button type="button" id="approve" onClick={desk.approve}>
            Approve <kbd>A</kbd>
          </button>
          <button type="button" className="quiet" onClick={() => setDialog('reject')}>
            Reject <kbd>R</kbd>
          </button>
          <button type="button" className="quiet" onClick={desk.next}>
            Skip <kbd>J</kbd>
          </button>
          <button type="button" className="quiet" onClick={() => setDialog('keys')}>
            Keys <kbd>?</kbd>
          </button>
        </footer>
        <p role="status" className="muted">
          {desk.status}
        </p>
      </section>
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {dialog === 'reject' && <RejectDialog onClose={close} onReject={desk.reject} />}
    </div>
  );
}

function Doubts({ reasons }: { reasons: string[] }) {
  if (reasons.length === 0) return <p className="about good">Nothing is in doubt any more.</p>;
  return (
    <ul className="doubts">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
