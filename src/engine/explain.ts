import { readCircumstances } from '../db/circumstances.ts';
import { explainWaiting, type WaitingTask, type Why } from '../domain/why.ts';
import { SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Resources } from '../resources.ts';
import type { Queues } from './queues/queues.ts';
import { queueForHint } from './task/task.ts';

const patienceMs = 2 * SECOND;

/** The interval job that announces due tasks. */
const relay = 'announce-due-tasks';

/** Why a document waits, by the state of Postgres and Redis right now; undefined when there is no such document. */
export async function explain(
  { database, providers }: Pick<Resources, 'database' | 'providers'>,
  queues: Queues,
  documentId: string,
): Promise<Why | undefined> {
  const stored = await readCircumstances(database.pool, documentId, relay);
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

/** A Redis that is away or slow is one of the answers, not an error. */
async function inTime<T>(question: Promise<T>): Promise<T | undefined> {
  const answer = await withTimeout(patienceMs, question).catch(() => 'late' as const);
  return answer === 'late' ? undefined : answer;
}
