import { type FormEvent, useState } from 'react';
import type { Schema, Verdict } from '../api/types.ts';
import { FieldRow } from './field-row.tsx';
import { findDoubt } from './find-doubt.ts';
import type { Desk } from './use-desk.ts';

interface Props {
  desk: Desk;
  schema: Schema;
  verdict: Verdict;
  onFocus: (field: string) => void;
}

/** The values of a document; those in doubt come first. Enter saves. */
export function FieldList({ desk, schema, verdict, onFocus }: Props) {
  const fields = Object.entries(schema.definition.fields);
  const inDoubt = ([name]: [string, unknown]) => findDoubt(name, verdict) !== undefined;
  const [first] = useState(fields.find(inDoubt)?.[0] ?? fields[0]?.[0]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown at its field.
    const judged = await desk.save().catch(() => undefined);
    if (judged) focusNext(judged);
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
      {[...fields.filter(inDoubt), ...fields.filter((each) => !inDoubt(each))].map(
        ([name, field]) => (
          <FieldRow
            key={name}
            name={name}
            field={field}
            value={desk.draft[name] ?? ''}
            doubt={findDoubt(name, verdict)}
            error={desk.fieldError?.field === name ? desk.fieldError.message : undefined}
            isFirst={name === first}
            onFocus={() => onFocus(name)}
            onType={(value) => desk.type(name, value)}
          />
        ),
      )}
      <button type="submit" className="quiet" disabled={!desk.isChanged || desk.isBusy}>
        Save <kbd>Enter</kbd>
      </button>
    </form>
  );
}

/** To the next value in doubt, or to the decision if there is none. */
function focusNext(verdict: Verdict): void {
  const doubted = Object.keys(verdict.fields).find((name) => findDoubt(name, verdict));
  document.getElementById(doubted ? `field-${doubted}` : 'approve')?.focus();
}
