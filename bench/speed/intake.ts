import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { newKeyText } from '../../src/db/api-keys.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { compare } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';
import { startListening, startMillrace, startNode, stop } from './process.ts';

const plain = fileURLToPath(new URL('./plain-intake.ts', import.meta.url));
const atOnce = 20;

/** Small files over HTTP, each durable and queued before the response. */
export const intake: Part = {
  async run(bench) {
    const samples = await interleave(bench, {
      millrace: () =>
        withApi(bench, async (url, key) => {
          await openWindow(url, key);
          return uploads(bench, url, key);
        }),
      plain: () => plainUploads(bench, 'quick'),
      flushed: () => plainUploads(bench, 'flush'),
    });
    const line = { what: 'intake of 10 KB files', unit: 'files/s' };
    const against = 'express + INSERT + file write';
    return [
      compare({ ...line, against, target: { atLeast: 0.7 } }, samples.millrace, samples.plain),
      compare(
        { ...line, against: `${against}, flushed as ours is` },
        samples.millrace,
        samples.flushed,
      ),
    ];
  },
};

/** Runs work against an API process with its own database and storage. */
export function withApi<T>(
  bench: Bench,
  work: (url: string, key: string, server: Server) => Promise<T>,
): Promise<T> {
  return onFreshDatabase(bench, async (databaseUrl) => {
    const key = newKeyText();
    const { child, url } = await startListening(
      (MILLRACE_PORT) =>
        startMillrace(['api'], {
          DATABASE_URL: databaseUrl,
          REDIS_URL: bench.redisUrl,
          MILLRACE_DATA: bench.directory,
          MILLRACE_REDIS_PREFIX: `intake-${randomBytes(4).toString('hex')}`,
          MILLRACE_API_KEY: key,
          MILLRACE_MAX_UPLOAD_MB: '4096',
          MILLRACE_PORT,
        }),
      '/readyz',
    );
    return work(url, key, child).finally(() => stop(child));
  });
}

/**
 * Nothing processes the documents here. With the default window, all but the first ones would wait
 * outside the queue.
 */
async function openWindow(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { workspaces } = listed.parse(
    await (await fetch(`${url}/admin/workspaces`, { headers })).json(),
  );
  for (const { id } of workspaces) {
    const body = JSON.stringify({ maxInFlight: 100_000 });
    const answer = await fetch(`${url}/admin/workspaces/${id}`, { method: 'PATCH', headers, body });
    if (!answer.ok) throw new Error(`The window could not be opened: ${await answer.text()}`);
  }
}

const listed = z.object({ workspaces: z.array(z.object({ id: z.string() })) });

type Server = Parameters<typeof stop>[0];

function plainUploads(bench: Bench, flush: 'flush' | 'quick'): Promise<number> {
  return onFreshDatabase(bench, async (databaseUrl) => {
    const directory = await mkdtemp(join(bench.directory, 'plain-'));
    const { child, url } = await startListening(
      (port) =>
        startNode(
          ['--import', import.meta.resolve('tsx'), plain, port, databaseUrl, directory, flush],
          {},
        ),
      '/readyz',
    );
    return uploads(bench, url, '').finally(() => stop(child));
  });
}

async function uploads(bench: Bench, url: string, key: string): Promise<number> {
  const body = randomBytes(10 * 1024);
  const send = async (count: number) => {
    let left = count;
    const lane = async () => {
      while (left-- > 0) {
        const answer = await fetch(`${url}/v1/documents?name=scan.pdf`, {
          method: 'POST',
          body,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/pdf' },
        });
        if (answer.status !== 202)
          throw new Error(`Intake answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  };
  // Warm up: at first, JIT compilation dominates the time of both servers.
  await send(bench.size(500));
  const count = bench.size(1500);
  const startedAt = performance.now();
  await send(count);
  return count / ((performance.now() - startedAt) / 1000);
}
