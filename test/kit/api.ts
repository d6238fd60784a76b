import { Redis } from 'ioredis';
import { inject } from 'vitest';
import type { ApiContext } from '../../src/api/context.ts';
import { startServer } from '../../src/api/server.ts';
import { defaultSettings } from '../../src/api/settings.ts';
import { StorageQuotas } from '../../src/api/upload/quotas.ts';
import { openWindowCounter } from '../../src/api/window-counter.ts';
import { type NewKey, newKeyText, storeKey } from '../../src/db/api-keys.ts';
import { ensureWorkspace } from '../../src/db/workspaces.ts';
import { watchFleet } from '../../src/engine/fleet/index.ts';
import { done } from '../../src/engine/pipeline/outcome.ts';
import {
  definePipeline,
  end,
  type Pipeline,
  queueNames,
  step,
} from '../../src/engine/pipeline/pipeline.ts';
import { defineStage, type StageContext } from '../../src/engine/pipeline/stage.ts';
import { openQueues } from '../../src/engine/queues/queues.ts';
import { openJobRunner } from '../../src/engine/schedule/job-runner.ts';
import type { Schedule } from '../../src/engine/schedule/scheduler.ts';
import type { StageDocument } from '../../src/engine/task/task.ts';
import { openIntake } from '../../src/intake/intake.ts';
import { Closers } from '../../src/lib/closers.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import type { Resources } from '../../src/resources.ts';
import { deliver } from '../../src/workers/deliver.ts';
import { finalize } from '../../src/workers/finalize.ts';
import { openTestEngine } from './engine.ts';
import { uniquePrefix } from './redis.ts';

export type TestApi = Awaited<ReturnType<typeof openTestApi>>;

type Behaviour = (document: StageDocument, context: StageContext) => Promise<unknown>;

export interface TestApiOptions {
  context?: Partial<ApiContext>;
  resources?: Partial<Resources>;
  maxBytes?: number;
  schedule?: Schedule;
  /** Replaces the default three stages. */
  pipeline?: Pipeline;
  /** Replaces the Redis of the test run. */
  redis?: Redis;
}

/**
 * A server on a free port, with a database, storage, queues, an engine with three stages, and API
 * keys.
 */
export async function openTestApi({
  context = {},
  resources,
  maxBytes = 2 ** 20,
  schedule = {},
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: 1 }),
  pipeline: given,
}: TestApiOptions = {}) {
  /** What the first stage does with a document, by document name. */
  const behaviours = new Map<string, Behaviour>();
  const claim = defineStage({
    async run(document, stageContext) {
      await behaviours.get(document.name)?.(document, stageContext);
      return done('claimed');
    },
  });
  const extract = defineStage({ run: async () => done('extracted') });
  const four = definePipeline({
    claim: step(claim, { claimed: 'finalize' }),
    // Only for runs that start here.
    extract: step(extract, { extracted: 'finalize' }),
    finalize: step(finalize, { finalized: ['deliver'] }),
    deliver: step(deliver, { delivered: end, cancelled: end }),
  });
  const pipeline = given ?? four;
  const closers = new Closers();
  const engine = await openTestEngine(pipeline, resources);
  closers.add(engine.close);
  const { log, database } = engine.resources;
  closers.add(() => redis.disconnect());
  // `queuePrefix` adds the braces.
  const prefix = uniquePrefix();
  const queues = openQueues(queueNames(pipeline), { redis, prefix, log });
  closers.add(queues.close);
  const apiContext = {
    resources: engine.resources,
    queues,
    jobs: openJobRunner(schedule, {
      ...engine.resources,
      queues,
      policy: engine.runnerWith().policy,
      failSubject: async () => undefined,
      leaseMs: HOUR,
      admission: { first: 'claim', giveUpMs: HOUR },
      batchGraceMs: HOUR,
      batchStuckMs: HOUR,
      storageGraceMs: HOUR,
      keepHistoryMs: 90 * DAY,
      keepAuditMs: 730 * DAY,
    }),
    counter: openWindowCounter(redis, prefix),
    settings: defaultSettings,
    quotas: new StorageQuotas(database.db),
    fleet: watchFleet({ ...engine.resources, queues, schedule, deadLetterLimit: 100 }),
    intake: openIntake(database.db, {
      first: 'claim',
      giveUpMs: HOUR,
      deliveryGiveUpMs: 24 * HOUR,
      maxBytes,
      announce: queues.announce,
      tracing: engine.resources.tracing,
    }),
    boardWritable: false,
    defaultWorkspaceId: engine.workspaceId,
    checks: {},
    stallChecks: [],
    ...context,
  };
  const server = await startServer(apiContext, { host: '127.0.0.1', port: 0 });
  closers.add(server.close);
  const keyOf = async (key: NewKey) => {
    const text = newKeyText();
    await storeKey(database.db, text, key);
    return text;
  };
  const otherWorkspaceId = await ensureWorkspace(database.db, 'other');
  const keys = {
    admin: await keyOf({ name: 'admin', role: 'admin' }),
    operator: await keyOf({ name: 'operator', role: 'operator' }),
    user: await keyOf({ name: 'user', role: 'user', workspaceId: engine.workspaceId }),
    stranger: await keyOf({ name: 'stranger', role: 'operator', workspaceId: otherWorkspaceId }),
  };
  return {
    ...engine,
    queues,
    context: apiContext,
    prefix,
    stages: Object.keys(pipeline),
    keys,
    behaviours,
    databaseUrl: engine.url,
    url: server.url,
    /** A request with an API key, by default that of the user. */
    call: (path: string, { key = keys.user, headers = {}, ...init }: CallOptions = {}) =>
      fetch(server.url + path, {
        redirect: 'manual',
        ...init,
        headers: { authorization: `Bearer ${key}`, ...headers },
      }),
    objects: async () => {
      const found: string[] = [];
      for await (const { key } of engine.resources.storage.list('')) found.push(key);
      return found;
    },
    close: () => closers.close(),
  };
}

export interface CallOptions extends Omit<RequestInit, 'headers'> {
  key?: string;
  headers?: Record<string, string>;
}
