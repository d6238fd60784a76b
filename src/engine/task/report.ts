import { SpanKind } from '@opentelemetry/api';
import { queueName } from '../../domain/lane.ts';
import { atMostEvery } from '../../lib/at-most-every.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import { annotate, type Tracing } from '../../observability/tracing/index.ts';
import type { Resources } from '../../resources.ts';
import { subjectIds } from './subject.ts';
import type { Task } from './task.ts';
import type { Transition } from './transition.ts';

type Sinks = Pick<Resources, 'log' | 'metrics'>;

export function reportDropped(
  { log, metrics }: Sinks,
  queue: string,
  reason: 'stale' | 'malformed',
  jobId?: string,
): void {
  metrics.hintDropped(queue, reason);
  if (reason === 'malformed') warnRarely(log, { queue, jobId });
}

/** Rate-limited: thousands of malformed jobs are one problem. The metric counts them all. */
const warnRarely = atMostEvery(MINUTE, (log: Log, facts: object) =>
  log.warn(facts, 'dropped a malformed job: its data is not a task pointer'),
);

export function reportLost({ metrics }: Sinks, { stage, lane }: Task): void {
  metrics.writeFenced(queueName(stage, lane));
  annotate({ 'millrace.outcome': 'lost' }, 'The lease was lost');
}

export function reportSettled(
  { log, metrics }: Sinks,
  task: Task,
  transition: Transition,
  ms: number,
): void {
  const { outcome, failure, error, stage, delayMs, attempts } = transition;
  metrics.taskFinished(queueName(task.stage, task.lane), outcome, ms);
  if (failure) metrics.taskDied(task.stage, failure.code);
  annotate(
    { 'millrace.outcome': outcome, ...(error && { 'millrace.code': error.code }) },
    error?.message,
  );
  const facts = {
    ...subjectIds(task),
    taskId: task.id,
    stage: task.stage,
    lane: task.lane,
    epoch: task.epoch,
    outcome,
    ms: Math.round(ms),
  };
  if (failure)
    log.error(
      { ...facts, code: failure.code, attempts },
      `${task.document ? 'document' : task.subject.kind} failed: ${failure.message}`,
    );
  else if (error)
    log.warn(
      { ...facts, code: error.code, attempts, delayMs },
      `will be retried: ${error.message}`,
    );
  else log.debug({ ...facts, next: stage }, 'stage done');
}

/** Records one run of a task as a span of its document's trace, which spans all queues. */
export function traceRun<T>(tracing: Tracing, task: Task, run: () => Promise<T>): Promise<T> {
  const { id, stage, epoch, attempts, postponed, document, subject } = task;
  const attributes = {
    'millrace.stage': stage,
    'millrace.task': id,
    'millrace.epoch': epoch,
    'millrace.attempt': attempts + 1,
    'millrace.postponed': postponed,
    [`millrace.${subject.kind}`]: subject.id,
    ...(subject.workspaceId !== null && { 'millrace.workspace': subject.workspaceId }),
    ...(document && { 'millrace.document': document.id }),
    ...(document?.batchId && { 'millrace.batch': document.batchId }),
  };
  const parent = document?.ingestion.traceparent ?? null;
  return tracing.span(stage, { kind: SpanKind.CONSUMER, parent, attributes }, run);
}
