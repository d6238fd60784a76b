import { PermanentError } from '../errors.ts';

/** Engines of one kind: all that are configured, each opened when it is first asked for. */
export interface Choice<Engine> {
  readonly names: readonly string[];
  open(name: string): Promise<Engine>;
  close(): Promise<void>;
}

export function openChoice<Engine extends { close(): Promise<void> }>(
  openers: Readonly<Record<string, () => Promise<Engine>>>,
): Choice<Engine> {
  const opened = new Map<string, Promise<Engine>>();
  const names = Object.keys(openers);
  return {
    names,
    async open(name) {
      const open = openers[name];
      if (!open) throw new PermanentError('PROVIDER_NOT_CONFIGURED', notThere(name, names));
      const known = opened.get(name);
      if (known) return known;
      const engine = open();
      opened.set(name, engine);
      // An engine that could not be opened is opened anew by whoever asks next.
      engine.catch(() => opened.delete(name));
      return engine;
    },
    async close() {
      for (const engine of opened.values()) await (await engine).close();
    },
  };
}

export function notThere(name: string, names: readonly string[]): string {
  return `The engine "${name}" is not configured; there are ${names.join(', ') || 'none'}`;
}
