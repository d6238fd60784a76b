import { Dialog } from '../ui/dialog.tsx';

const keys = [
  ['Tab, Shift+Tab', 'next and previous value'],
  ['Enter', 'save, then go to the next value in doubt'],
  ['Ctrl+Enter', 'approve, with what you typed'],
  ['Esc', 'leave the value, so that single keys work'],
  ['A', 'approve'],
  ['R', 'reject, with a reason'],
  ['J', 'skip to the next document'],
  ['K', 'back to the previous document'],
  ['?', 'show these keys'],
] as const;

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}
