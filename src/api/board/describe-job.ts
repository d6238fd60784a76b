import type { BoardTask } from '../../db/board-tasks.ts';
import { findHint } from '../../domain/problem.ts';
import { documentHref } from '../document-json.ts';
import { taskHref } from '../routes/tasks.ts';

/** A task of a job, as the board shows it: named, with its outcome and where to look further. */
export function describeTask(task: BoardTask) {
  const { taskId, documentId, document, subject, workspace, batch, attempts, run, deadLetterId } =
    task;
  return {
    ...(documentId === null ? { subject } : { document }),
    href: documentId === null ? taskHref(taskId) : documentHref(documentId),
    ...(workspace !== null && { workspace }),
    ...(batch !== null && { batch }),
    ...(run ? describeRun(task) : { outcome: 'not finished' }),
    attempts,
    now: task.state === 'ready' ? `waits in ${task.stage}` : `${task.state} in ${task.stage}`,
    ...(deadLetterId !== null && { deadLetter: `/admin/dlq/${deadLetterId}` }),
    task: taskHref(taskId),
  };
}

function describeRun({ run, endedAt }: BoardTask) {
  if (!run) return {};
  const { stage, lane = 'small', outcome, worker, ms, delayMs, error } = run;
  const until =
    endedAt && delayMs ? new Date(endedAt.getTime() + delayMs).toISOString() : undefined;
  return {
    stage,
    lane,
    outcome,
    ...(ms !== undefined && { ms }),
    worker,
    ...(until && { until }),
    ...(error && { code: error.code, message: error.message, hint: findHint(error.code) }),
  };
}

/** What to do about the failures of a job. */
export function hintsFor(tasks: readonly BoardTask[]): string[] {
  const codes = new Set(tasks.flatMap(({ run }) => run?.error?.code ?? []));
  return [...codes].flatMap((code) => findHint(code) ?? []);
}

/** The title of a job: its document, or how many it holds. */
export function nameJob(tasks: readonly BoardTask[]): string | undefined {
  const [first] = tasks;
  if (!first) return undefined;
  const name = first.document ?? `${first.subject.kind} ${first.subject.id}`;
  return tasks.length === 1 ? name : `${name} and ${tasks.length - 1} more`;
}

/** The log of a job: one line for each of its tasks that has ended. */
export function logLines(tasks: readonly BoardTask[]): string[] {
  return tasks.flatMap(({ document, subject, run, endedAt }) => {
    if (!run || !endedAt) return [];
    const name = document ?? `${subject.kind} ${subject.id}`;
    const took = run.ms === undefined ? '' : ` after ${run.ms} ms`;
    const wait = run.delayMs ? `; runs again in ${Math.ceil(run.delayMs / 1000)} s` : '';
    const line = `${endedAt.toISOString()} ${name}: ${run.outcome}${took} on ${run.worker}${wait}`;
    return run.error ? [line, `  ${run.error.code}: ${run.error.message}`] : [line];
  });
}
