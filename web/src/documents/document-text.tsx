import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { textOf } from '../api/queries.ts';
import { ErrorNote } from '../ui/error-note.tsx';

/** The text that was read, loaded when it is opened. */
export function DocumentText({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...textOf(id), enabled: isOpen });
  return (
    <details className="panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Text</summary>
      {error && <ErrorNote error={error} />}
      {data?.map(({ number, text }) => (
        <pre key={number}>{text}</pre>
      ))}
    </details>
  );
}
