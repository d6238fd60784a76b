import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { newKeyText } from '../../src/db/api-keys.ts';
import { Closers } from '../../src/lib/closers.ts';
import { SECOND } from '../../src/lib/time.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { openDataDirectory, startEmbedded } from '../../src/servers/embedded/index.ts';
import { startCli } from '../kit/cli.ts';
import { commandLine } from './command-line.ts';

/** Imports a folder of small texts as a batch with the CLI and flushes Redis `flushes` times. */
const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '5000' },
    flushes: { type: 'string', default: '0' },
  },
});
const documents = Number(values.documents);
const flushes = Number(values.flushes);

const report = z.object({
  state: z.string(),
  completed: z.number(),
  failed: z.number(),
  ledger: z.record(z.string(), z.number()),
  difference: z.number(),
});
const batch = z.object({
  state: z.string(),
  progress: z.looseObject({ open: z.number(), documents: z.number() }),
});

const closers = new Closers();
try {
  const home = await mkdtemp(join(tmpdir(), 'millrace-batch-'));
  closers.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const folder = await writeFolder(join(home, 'folder'));
  const { millrace, show, redis } = await startServer(home);
  const id = (await millrace('batch', 'create', 'Folder', '--type', 'FILES')).stdout.trim();
  const addSeconds = await seconds(() => millrace('batch', 'add', id, folder));
  await millrace('batch', 'start', id);
  await millrace('batch', 'finish', id, '--items', String(documents));
  const flushing = flush(redis, async () => batch.parse(JSON.parse(await show(id))));
  const runSeconds = await seconds(() => millrace('batch', 'watch', id));
  const flushed = await flushing;
  const result = report.parse(JSON.parse((await millrace('batch', 'report', id)).stdout));
  console.log(JSON.stringify({ documents, addSeconds, runSeconds, flushed, ...result }));
  const isRight =
    result.state === 'completed' && result.completed === documents && result.difference === 0;
  process.exitCode = isRight && flushed === flushes ? 0 : 1;
} finally {
  await closers.close();
}

async function writeFolder(folder: string): Promise<string> {
  await mkdir(folder);
  for (let i = 0; i < documents; i++)
    await writeFile(
      join(folder, `${i}.txt`),
      `Invoice ${i}\nDate: 2026-03-01\nTotal: ${i}.00 EUR\n`,
    );
  return folder;
}

async function startServer(home: string) {
  const directory = await openDataDirectory(join(home, 'data'));
  closers.add(() => directory.close());
  const services = await startEmbedded({
    directory,
    services: { postgres: true, redis: true },
    durable: true,
  });
  closers.add(() => services.stop());
  const { databaseUrl = '', redisUrl = '' } = services.admin;
  const [key, port] = [newKeyText(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const server = startCli(['up', '--port', String(port)], {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    MILLRACE_DATA: join(home, 'server'),
    MILLRACE_API_KEY: key,
    LOG_LEVEL: 'warn',
  });
  closers.add(async () => {
    server.child.kill('SIGTERM');
    await server.exited;
  });
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);
  const redis = new Redis(redisUrl);
  closers.add(() => redis.disconnect());
  const headers = { authorization: `Bearer ${key}` };
  return {
    redis,
    show: async (id: string) => (await fetch(`${url}/v1/batches/${id}`, { headers })).text(),
    millrace: commandLine({ MILLRACE_URL: url, MILLRACE_API_KEY: key }),
  };
}

/** Flushes Redis at evenly spaced points of the batch's progress. */
async function flush(redis: Redis, look: () => Promise<z.infer<typeof batch>>): Promise<number> {
  for (let flushed = 0; ; await sleep(SECOND / 5)) {
    const { state, progress } = await look();
    const ended = progress.documents - progress.open;
    if (flushed < flushes && ended >= (documents * (flushed + 1)) / (flushes + 1)) {
      await redis.flushall();
      flushed += 1;
    }
    if (state === 'completed' || state === 'cancelled' || state === 'unbalanced') return flushed;
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
