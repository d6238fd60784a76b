import { Readable } from 'node:stream';
import { insertDestination } from '../../src/db/destinations.ts';
import { openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ensureWorkspace } from '../../src/db/workspaces.ts';
import { createRunner } from '../../src/engine/task/runner.ts';
import { openIntake } from '../../src/intake/intake.ts';
import { upload } from '../../src/intake/upload.ts';
import { sweepDeliveries } from '../../src/jobs/sweep-deliveries.ts';
import { Closers } from '../../src/lib/closers.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { startManagerSimulator } from '../../src/simulators/manager/index.ts';
import { deliveringPipeline } from '../../test/kit/delivering-pipeline.ts';
import { drain } from '../../test/kit/drain.ts';
import { idleResources } from '../../test/kit/idle-resources.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { productionLog } from './engine-course.ts';
import { compare } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

/** The number of tasks the engine runs concurrently when it is drained. */
const atOnce = 100;

/**
 * Documents per second delivered to a simulated manager, compared with a loop of HTTP calls that
 * stores nothing.
 */
export const delivery: Part = {
  async run(bench) {
    const count = bench.size(1000);
    const manager = await startManagerSimulator();
    try {
      await bareLoop(manager.url, bench.size(100));
      const samples = await interleave(bench, {
        bare: () => bareLoop(manager.url, count),
        ours: () =>
          onFreshDatabase(bench, (url) =>
            deliveries({ ...bench, databaseUrl: url }, manager.url, count),
          ),
      });
      const line = { what: 'deliveries, asked about and submitted', unit: 'documents/s' };
      return [compare({ ...line, against: 'bare loop of HTTP calls' }, samples.ours, samples.bare)];
    } finally {
      await manager.close();
    }
  },
};

/** One lookup and one submission per document: the limit set by the manager and HTTP. */
async function bareLoop(url: string, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < count; done += atOnce) {
    const calls = Array.from({ length: Math.min(atOnce, count - done) }, async (_, i) => {
      await (await fetch(`${url}/documents?sha256=${done + i}&key=bare`)).text();
      const body = new FormData();
      body.append('file', new Blob([`bare ${startedAt} ${done + i}`]), 'bare.txt');
      await (await fetch(`${url}/documents`, { method: 'POST', body })).text();
    });
    await Promise.all(calls);
  }
  return perSecond(count, startedAt);
}

async function deliveries(bench: Bench, url: string, count: number): Promise<number> {
  const closers = new Closers();
  try {
    const database = openDatabase({
      url: bench.databaseUrl,
      connections: 10,
      onError: () => undefined,
    });
    closers.add(() => database.close());
    await migrate(database.pool);
    const resources = await idleResources(database, bench.directory, { log: productionLog() });
    closers.add(() => resources.outgoing.close());
    const announce = async () => undefined;
    const admission = { first: 'claim', giveUpMs: HOUR, deliveryGiveUpMs: HOUR };
    const engine = {
      worker: 'bench',
      leaseMs: MINUTE,
      maxAttempts: 3,
      largeFrom: { bytes: 2 ** 30, pages: 1000 },
      overrides: {},
    };
    const runner = createRunner(deliveringPipeline, resources, {
      ...engine,
      ...admission,
      announce,
    });
    closers.add(() => runner.leases.stop());
    const workspaceId = await ensureWorkspace(database.db, 'bench');
    const off = {
      enabled: false,
      maxConcurrent: null,
      holdMs: 0,
      deliverDoubtful: false,
      secret: null,
    };
    await insertDestination(database.db, {
      workspaceId,
      name: 'manager',
      kind: 'http',
      settings: { url },
      ...off,
    });
    const intake = openIntake(database.db, { ...admission, maxBytes: 2 ** 20, announce });
    for (let i = 0; i < count; i++) {
      const body = Readable.from([Buffer.from(`ours ${bench.databaseUrl} ${i}`)]);
      await upload(resources, intake, { workspaceId, name: 'ours.txt', body });
    }
    await drain(runner);
    await database.pool.query('update destinations set enabled = true');
    await sweepDeliveries(database.db, { stuckMs: HOUR, giveUpMs: HOUR, limit: count });
    const startedAt = performance.now();
    await drain(runner);
    return perSecond(count, startedAt);
  } finally {
    await closers.close();
  }
}

function perSecond(count: number, startedAt: number): number {
  return count / ((performance.now() - startedAt) / 1000);
}
