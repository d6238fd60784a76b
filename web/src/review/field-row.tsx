import { useEffect, useRef } from 'react';
import type { FieldKind, Schema } from '../api/types.ts';
import { formatName } from '../ui/format.ts';
import type { Draft, Row } from './draft.ts';
import { LinesTable } from './lines-table.tsx';

interface Props {
  name: string;
  field: Schema['definition']['fields'][string];
  value: Draft[string];
  doubt: string | undefined;
  error: string | undefined;
  /** Gets the focus when the document opens. */
  isFirst: boolean;
  onFocus: () => void;
  onType: (value: Draft[string]) => void;
}

/** One value with its doubt or error in words. */
export function FieldRow({ name, field, value, doubt, error, isFirst, onFocus, onType }: Props) {
  const { kind, columns = {} } = field;
  const id = `field-${name}`;
  const noteId = `${id}-note`;
  const note = error ?? doubt;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.select();
  }, [isFirst]);
  if (typeof value !== 'string')
    return (
      <fieldset className={doubt ? 'field doubted' : 'field'} onFocus={onFocus}>
        <legend id={id} tabIndex={-1}>
          {formatName(name)}
        </legend>
        <LinesTable columns={Object.keys(columns)} rows={value as Row[]} onChange={onType} />
        <Note id={noteId} text={note} isError={error !== undefined} />
      </fieldset>
    );
  return (
    <div className={doubt ? 'field doubted' : 'field'}>
      <label htmlFor={id}>{formatName(name)}</label>
      <input
        ref={input}
        id={id}
        value={value}
        inputMode={kind === 'amount' || kind === 'number' ? 'decimal' : 'text'}
        placeholder={placeholders[kind]}
        aria-describedby={note ? noteId : undefined}
        aria-invalid={error !== undefined}
        autoComplete="off"
        onFocus={onFocus}
        onChange={(event) => onType(event.target.value)}
      />
      <Note id={noteId} text={note} isError={error !== undefined} />
    </div>
  );
}

const placeholders: Partial<Record<FieldKind, string>> = { date: '2026-01-31', currency: 'EUR' };

function Note({ id, text, isError }: { id: string; text: string | undefined; isError: boolean }) {
  if (text === undefined) return null;
  return (
    <p id={id} className={isError ? 'problem' : 'doubt'} role={isError ? 'alert' : undefined}>
      {text}
    </p>
  );
}
