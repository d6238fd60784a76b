import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const program = 'chromium';
export const hasBrowser = spawnSync(program, ['--version']).status === 0;

const message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.infer<typeof message>;

/** A headless Chromium with one page, controlled over pipes (Chrome DevTools Protocol). */
export async function openBrowser() {
  const profile = await mkdtemp(join(tmpdir(), 'millrace-browser-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
  ];
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const waiting = new Map<number, (answer: Message) => void>();
  const seen: Message[] = [];
  listen(child.stdio[4] as Readable, (received) => {
    const resolve = received.id === undefined ? undefined : waiting.get(received.id);
    if (resolve) resolve(received);
    else seen.push(received);
  });
  let last = 0;
  const send = async (
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<unknown> => {
    last += 1;
    const id = last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    (child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const { targetId } = z
    .looseObject({ targetId: z.string() })
    .parse(await send('Target.createTarget', { url: 'about:blank' }));
  const attached = await send('Target.attachToTarget', { targetId, flatten: true });
  const { sessionId } = z.looseObject({ sessionId: z.string() }).parse(attached);
  for (const domain of ['Page', 'Runtime', 'Network'])
    await send(`${domain}.enable`, {}, sessionId);
  return {
    go: (url: string) => send('Page.navigate', { url }, sessionId),
    /** Evaluates an expression in the page. */
    async evaluate(expression: string): Promise<unknown> {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true }, sessionId);
      return z
        .looseObject({ result: z.looseObject({ value: z.unknown().optional() }) })
        .parse(answer).result.value;
    },
    /** All exceptions and failed loads of pages from this origin. */
    troubles: (origin: string) =>
      seen.filter((each) => isTrouble(each, origin)).map(({ params }) => JSON.stringify(params)),
    async close() {
      child.kill();
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const response = z.looseObject({
  response: z.looseObject({ status: z.number(), url: z.string() }),
});

function isTrouble({ method, params }: Message, origin: string): boolean {
  if (method === 'Runtime.exceptionThrown') return true;
  const answer =
    method === 'Network.responseReceived' ? response.safeParse(params).data?.response : undefined;
  return answer?.url.startsWith(origin) === true && answer.status >= 400;
}

/** Messages are terminated by a NUL byte. */
function listen(stream: Readable, take: (received: Message) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) take(message.parse(JSON.parse(part)));
  });
}
