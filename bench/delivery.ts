// Deliveries a second to a simulated manager, against a bare loop of HTTP calls that does the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { insertDestination } from '../src/db/destinations.ts';
import { openDatabase } from '../src/db/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { ensureWorkspace } from '../src/db/workspaces.ts';
import { sweepDeliveries } from '../src/deliveries/sweep.ts';
import { openDataDirectory, startEmbedded } from '../src/embedded/index.ts';
import { drain } from '../src/engine/drain.ts';
import { createRunner } from '../src/engine/runner.ts';
import { openIntake } from '../src/intake/intake.ts';
import { upload } from '../src/intake/upload.ts';
import { Closers } from '../src/lib/closers.ts';
import { createSeal } from '../src/lib/seal.ts';
import { HOUR, MINUTE, monotonicNow } from '../src/lib/time.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import { openOutgoing } from '../src/outgoing/index.ts';
import { startManagerSimulator } from '../src/providers/simulators/manager.ts';
import { openFiles } from '../src/storage/files.ts';
import { deliveringPipeline } from '../test/kit/delivering-pipeline.ts';

const documents = 200;
const atOnce = 100;

const closers = new Closers();
try {
  const path = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  closers.add(() => rm(path, { recursive: true, force: true }));
  const directory = await openDataDirectory(path);
  closers.add(() => directory.close());
  const embedded = await startEmbedded({
    directory,
    services: { postgres: true, redis: false },
    redisEngine: 'auto',
    durable: false,
  });
  closers.add(() => embedded.stop());
  const database = openDatabase({ url: String(embedded.databaseUrl), connections: 10, onError: () => undefined });
  closers.add(() => database.close());
  await migrate(database.pool);
  const manager = await startManagerSimulator();
  closers.add(() => manager.close());
  // The first round only warms up.
  await bareLoop(manager.url);
  const bare = await bareLoop(manager.url);
  const ours = await deliveries(manager.url, path, database);
  console.log(JSON.stringify({ documents, bare: round(bare), ours: round(ours), ratio: round(ours / bare) }));
} finally {
  await closers.close();
}

/** Looks up and submits, with nothing kept: what the manager and HTTP allow. */
async function bareLoop(url: string): Promise<number> {
  const startedAt = monotonicNow();
  for (let done = 0; done < documents; done += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, async (_, i) => {
        await (await fetch(`${url}/documents?sha256=${done + i}&key=bare`)).text();
        const body = new FormData();
        body.append('file', new Blob([`bare ${done + i}`]), 'bare.txt');
        await (await fetch(`${url}/documents`, { method: 'POST', body })).text();
      }),
    );
  }
  return documents / ((monotonicNow() - startedAt) / 1000);
}

async function deliveries(url: string, path: string, database: ReturnType<typeof openDatabase>): Promise<number> {
  const { db, pool } = database;
  const unused = (): Promise<never> => Promise.reject(new Error('Not used here'));
  const outgoing = openOutgoing({ allow: ['127.0.0.0/8'], insecure: true });
  closers.add(() => outgoing.close());
  const resources = {
    database,
    storage: await openFiles(join(path, 'files')),
    reader: { engine: 'none', read: unused, close: async () => undefined },
    extractor: { engine: 'none', deterministic: true, extract: unused, close: async () => undefined },
    outgoing,
    providers: { states: async () => [] },
    seal: createSeal('the key of a measurement'),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    settings: {
      qualityThreshold: 0.7,
      maxPixels: 1,
      deliveryGiveUpMs: HOUR,
      dailyBudgetMicros: undefined,
    },
  };
  const announce = async () => undefined;
  const runner = createRunner(deliveringPipeline, resources, {
    worker: 'bench',
    leaseMs: MINUTE,
    first: 'deliver',
    giveUpMs: HOUR,
    maxAttempts: 3,
    overrides: {},
    announce,
  });
  closers.add(() => runner.leases.stop());
  const workspaceId = await ensureWorkspace(db, 'bench');
  const rest = { enabled: false, maxConcurrent: null, holdMs: 0, secret: null };
  await insertDestination(db, { workspaceId, name: 'manager', kind: 'http', settings: { url }, ...rest });
  const intake = openIntake(db, {
    first: 'claim',
    giveUpMs: HOUR,
    deliveryGiveUpMs: HOUR,
    maxBytes: 2 ** 20,
    announce,
  });
  for (let i = 0; i < documents; i++)
    await upload(resources, intake, { workspaceId, name: 'ours.txt', body: Readable.from([Buffer.from(`ours ${i}`)]) });
  await drain(runner);
  await pool.query('update destinations set enabled = true');
  await sweepDeliveries(db, { stuckMs: HOUR, giveUpMs: HOUR, limit: documents });
  const startedAt = monotonicNow();
  await drain(runner);
  return documents / ((monotonicNow() - startedAt) / 1000);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
