import { useEffect, useRef } from 'react';

interface Options {
  isActive: boolean;
  /** Ctrl+Enter or ⌘+Enter, also while a person types. */
  submit: () => void;
}

/** Single keys act while no input has the focus; Escape leaves an input. */
export function useShortcuts(
  actions: Readonly<Record<string, () => void>>,
  { isActive, submit }: Options,
): void {
  const latest = useRef({ actions, submit, isActive });
  latest.current = { actions, submit, isActive };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (!latest.current.isActive) return undefined;
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (key === 'Enter' && (ctrlKey || metaKey)) return act(event, latest.current.submit);
      if (key === 'Escape' && isTyping) return target.blur();
      if (isTyping || ctrlKey || metaKey || altKey) return undefined;
      return act(event, latest.current.actions[key.toLowerCase()]);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function act(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (!action) return;
  event.preventDefault();
  action();
}
