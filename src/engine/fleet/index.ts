import client, { type Gauge, type Registry } from 'prom-client';
import { backlogSeconds, readLoad } from '../../db/backlog.ts';
import { countBatches } from '../../db/batch-counts.ts';
import { countBytesMissing } from '../../db/documents.ts';
import { countHeld } from '../../db/held.ts';
import { latestPasses } from '../../db/job-runs.ts';
import { lettersToReplay } from '../../db/replays.ts';
import { heldReasons } from '../../domain/held.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Resources } from '../../resources.ts';
import { countDeadLetters } from '../dead-letters/index.ts';
import type { Queues } from '../queues/queues.ts';
import type { Schedule } from '../schedule/interval-job.ts';
import { declareGauges, type Gauges } from './gauges.ts';

/** Metrics of the whole installation; every process that exports them has the same values. */
export interface Fleet {
  registry: Registry;
  /** Queries Postgres and Redis. Metrics that cannot be read in time are omitted. */
  refresh(): Promise<void>;
}

export interface FleetContext extends Pick<Resources, 'database' | 'providers' | 'log'> {
  queues: Queues;
  schedule: Schedule;
  deadLetterLimit: number;
}

const timeoutMs = 3 * SECOND;

export function watchFleet(context: FleetContext): Fleet {
  const registry = new client.Registry();
  const gauges = declareGauges(registry);
  const all: Gauge[] = Object.values(gauges);
  let refreshing: Promise<void> | undefined;
  const measure = async () => {
    for (const gauge of all) gauge.reset();
    for (const [job, { everyMs }] of Object.entries(context.schedule))
      gauges.jobInterval.set({ interval_job: job }, everyMs / 1000);
    gauges.deadLetterLimit.set(context.deadLetterLimit);
    const parts = [
      measureTasks,
      measureHeld,
      measureDeadLetters,
      measureBatches,
      measureBytes,
      measureJobs,
      measureQueues,
      measureProviders,
    ];
    await Promise.all(parts.map((part) => attempt(part, gauges, context)));
  };
  return {
    registry,
    refresh() {
      refreshing ??= measure().finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
  };
}

type Part = (gauges: Gauges, context: FleetContext) => Promise<void>;

async function attempt(part: Part, gauges: Gauges, context: FleetContext): Promise<void> {
  const result = await withTimeout(timeoutMs, part(gauges, context)).catch((err: unknown) => ({
    err,
  }));
  if (result)
    context.log.debug(
      { part: part.name, result },
      'omitted a part of the metrics: it failed or timed out',
    );
}

async function measureTasks(gauges: Gauges, { database, queues }: FleetContext): Promise<void> {
  for (const load of await readLoad(database.pool, [...queues.byStage.keys()])) {
    const { stage } = load;
    for (const state of ['waiting', 'delayed', 'running'] as const)
      gauges.tasks.set({ stage, state }, load[state]);
    gauges.backlog.set({ stage }, backlogSeconds(load));
    gauges.oldest.set({ stage }, load.oldestSeconds);
  }
}

async function measureHeld(gauges: Gauges, { database }: FleetContext): Promise<void> {
  for (const reason of heldReasons) gauges.heldDocuments.set({ reason }, 0);
  for (const { reason, count } of await countHeld(database.pool))
    gauges.heldDocuments.set({ reason }, count);
}

async function measureDeadLetters(gauges: Gauges, { database }: FleetContext): Promise<void> {
  for (const { stage, code, count } of await countDeadLetters(database.db))
    gauges.deadLetters.set({ stage, code }, count);
  gauges.toReplay.set(await lettersToReplay(database.db));
}

async function measureBatches(gauges: Gauges, { database }: FleetContext): Promise<void> {
  const counts = await countBatches(database.db);
  gauges.unbalanced.set(counts.find(({ state }) => state === 'unbalanced')?.batches ?? 0);
  for (const { state, batches, open, idleSeconds } of counts) {
    gauges.batches.set({ state }, batches);
    gauges.batchDocuments.set({ state }, open);
    gauges.batchIdle.set({ state }, idleSeconds);
  }
}

async function measureBytes(gauges: Gauges, { database }: FleetContext): Promise<void> {
  gauges.bytesMissing.set(await countBytesMissing(database.db));
}

async function measureJobs(gauges: Gauges, { database }: FleetContext): Promise<void> {
  for (const { name, succeededAt } of await latestPasses(database.db)) {
    if (succeededAt) gauges.jobSuccess.set({ interval_job: name }, succeededAt.getTime() / 1000);
  }
}

async function measureQueues(gauges: Gauges, { queues }: FleetContext): Promise<void> {
  const asked = [...queues.byStage].map(async ([queue, jobs]) => {
    const [counts, workers, paused] = await Promise.all([
      jobs.getJobCounts(),
      jobs.getWorkersCount(),
      jobs.isPaused(),
    ]);
    for (const [state, count] of Object.entries(counts)) gauges.jobs.set({ queue, state }, count);
    gauges.workers.set({ queue }, workers);
    gauges.paused.set({ queue }, paused ? 1 : 0);
  });
  await Promise.all(asked);
}

async function measureProviders(gauges: Gauges, { providers }: FleetContext): Promise<void> {
  for (const { provider, brokenUntil, pausedUntil } of await providers.states()) {
    gauges.broken.set({ provider }, brokenUntil ? 1 : 0);
    gauges.held.set({ provider }, pausedUntil ? 1 : 0);
  }
}
