import { circumstancesOf } from '../db/circumstances.ts';
import { type WaitingTask, type Why, whyOf } from '../domain/why.ts';
import { SECOND } from '../lib/time.ts';
import { within } from '../lib/within.ts';
import type { Resources } from '../resources.ts';
import type { Queues } from './queues/queues.ts';
import { queueOf } from './task/task.ts';

const patienceMs = 2 * SECOND;

/** The interval job that announces due tasks. */
const relay = 'announce-due-tasks';

/** Why a document waits, by the state of Postgres and Redis right now; undefined when there is no such document. */
export async function explain(
  { database, providers }: Pick<Resources, 'database' | 'providers'>,
  queues: Queues,
  documentId: string,
): Promise<Why | undefined> {
  const stored = await circumstancesOf(database.pool, documentId, relay);
  if (!stored) return undefined;
  const [queue, states] = await Promise.all([
    inTime(askQueue(queues, stored.task)),
    inTime(providers.states()),
  ]);
  return whyOf({ ...stored, queue, providers: states ?? [] });
}

async function askQueue({ byStage }: Queues, task: WaitingTask | undefined) {
  const queue = task && byStage.get(queueOf(task));
  if (!queue) return undefined;
  const [paused, workers] = await Promise.all([queue.isPaused(), queue.getWorkersCount()]);
  return { paused, workers };
}

/** A Redis that is away or slow is one of the answers, not an error. */
async function inTime<T>(question: Promise<T>): Promise<T | undefined> {
  const answer = await within(patienceMs, question).catch(() => 'late' as const);
  return answer === 'late' ? undefined : answer;
}
