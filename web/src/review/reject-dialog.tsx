import { type FormEvent, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  onClose: () => void;
  onReject: (reason: string) => void;
}

/** Asks why a document is rejected; the reason is kept in its history. */
export function RejectDialog({ onClose, onReject }: Props) {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onReject(reason.trim());
    onClose();
  };
  return (
    <Dialog title="Reject the document" onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">Its values are not accepted, and nothing is delivered.</p>
        <label htmlFor="reason">Reason</label>
        <input
          id="reason"
          required
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <p className="actions">
          <button type="submit" disabled={reason.trim() === ''}>
            Reject
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
