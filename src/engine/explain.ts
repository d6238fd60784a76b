import { readCircumstances } from '../db/circumstances.ts';
import type { WaitingTask, Why } from '../domain/circumstances.ts';
import { explainWaiting } from '../domain/why.ts';
import { SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Resources } from '../resources.ts';
import type { Queues } from './queues/queues.ts';
import { queueForHint } from './task/task.ts';

const timeoutMs = 2 * SECOND;

const relay = 'announce-due-tasks';

/** Explains why a document or a task waits, from the current state of Postgres and Redis. */
export async function explain(
  { database, providers }: Pick<Resources, 'database' | 'providers'>,
  queues: Queues,
  waiting: { kind: 'document' | 'task'; id: string },
): Promise<Why | undefined> {
  const stored = await readCircumstances(database.pool, waiting, relay);
  if (!stored) return undefined;
  const [queue, states] = await Promise.all([
    inTime(askQueue(queues, stored.task)),
    inTime(providers.states()),
  ]);
  return explainWaiting({ ...stored, queue, providers: states ?? [] });
}

async function askQueue({ byStage }: Queues, task: WaitingTask | undefined) {
  const queue = task && byStage.get(queueForHint(task));
  if (!queue) return undefined;
  const [paused, workers] = await Promise.all([queue.isPaused(), queue.getWorkersCount()]);
  return { paused, workers };
}

/** A Redis that is down or slow is part of the explanation, not an error. */
async function inTime<T>(question: Promise<T>): Promise<T | undefined> {
  const answer = await withTimeout(timeoutMs, question).catch(() => 'late' as const);
  return answer === 'late' ? undefined : answer;
}
