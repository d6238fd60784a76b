import { SpanKind } from '@opentelemetry/api';
import type { Tracing } from '../../observability/tracing/index.ts';
import type { Task } from './task.ts';

/** Records one run of a task as a span of its document's trace, which spans all queues. */
export function traceRun<T>(tracing: Tracing, task: Task, run: () => Promise<T>): Promise<T> {
  const { id, stage, epoch, attempts, postponed, document } = task;
  const attributes = {
    'millrace.stage': stage,
    'millrace.task': id,
    'millrace.epoch': epoch,
    'millrace.attempt': attempts + 1,
    'millrace.postponed': postponed,
    'millrace.document': document.id,
    'millrace.ingestion': document.ingestion.id,
    'millrace.workspace': document.workspaceId,
    ...(document.batchId !== null && { 'millrace.batch': document.batchId }),
  };
  const parent = document.ingestion.traceparent;
  return tracing.span(stage, { kind: SpanKind.CONSUMER, parent, attributes }, run);
}
