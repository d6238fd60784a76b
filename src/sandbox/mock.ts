import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** What a mock document may do to the process that reads it: every misbehaviour on command. */
const step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('sleep'), ms: z.number() }),
  /** Keeps the event loop busy. */
  z.object({ do: z.literal('spin'), ms: z.number() }),
  z.object({ do: z.literal('allocate'), mb: z.number(), native: z.boolean().default(false) }),
  z.object({ do: z.literal('exit'), code: z.int() }),
  z.object({ do: z.literal('signal'), name: z.enum(['SIGKILL', 'SIGSEGV', 'SIGTERM']) }),
  z.object({ do: z.literal('throw'), message: z.string() }),
  /** A promise that nobody waits for. */
  z.object({ do: z.literal('reject'), message: z.string() }),
  z.object({ do: z.literal('flood'), mb: z.number() }),
  z.object({ do: z.literal('say'), text: z.string() }),
]);
type Step = z.infer<typeof step>;

const mock = z.object({ 'millrace-mock': z.array(step).max(100) });

export interface MockInput {
  path: string;
}

/** Does what the document says, and answers what it had to say. */
export async function playMock({ path }: MockInput): Promise<{ text: string }> {
  const steps = mock.parse(JSON.parse(await readFile(path, 'utf8')))['millrace-mock'];
  const said: string[] = [];
  for (const each of steps) await actions[each.do](each as never, said);
  return { text: said.join('\n') };
}

type Action<Name extends Step['do']> = (step: Extract<Step, { do: Name }>, said: string[]) => unknown;

const kept: unknown[] = [];

const actions: { [Name in Step['do']]: Action<Name> } = {
  sleep: ({ ms }) => sleep(ms),
  spin({ ms }) {
    const end = Date.now() + ms;
    while (Date.now() < end);
  },
  allocate({ mb, native }) {
    for (let i = 0; i < mb; i++) kept.push(native ? Buffer.alloc(2 ** 20, 1) : new Array(2 ** 17).fill(0.5));
  },
  exit: ({ code }) => process.exit(code),
  signal: ({ name }) => process.kill(process.pid, name),
  throw({ message }) {
    throw new Error(message);
  },
  reject({ message }) {
    void Promise.reject(new Error(message));
  },
  flood({ mb }) {
    for (let i = 0; i < mb; i++) process.stdout.write('x'.repeat(2 ** 20));
  },
  say({ text }, said) {
    said.push(text);
  },
};
