import { PermanentError } from '../errors.ts';

/** The configured engines of one kind. Each is opened on first use. */
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
      const existing = opened.get(name);
      if (existing) return existing;
      const engine = open();
      opened.set(name, engine);
      // Do not cache failures: the next caller tries again.
      engine.catch(() => opened.delete(name));
      return engine;
    },
    async close() {
      for (const engine of opened.values()) await (await engine).close();
    },
  };
}

export function notThere(name: string, names: readonly string[]): string {
  return `The engine "${name}" is not configured. Configured: ${names.join(', ') || 'none'}`;
}
