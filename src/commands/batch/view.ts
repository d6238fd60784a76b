import { z } from 'zod';
import { inDollars, toMicros } from '../../domain/money.ts';
import { bar } from '../bar.ts';

/** The fields of a batch that the command line shows. */
export const batchView = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  state: z.string(),
  priority: z.number(),
  progress: z.looseObject({
    documents: z.number(),
    open: z.number(),
    completed: z.number(),
    failed: z.number(),
    cancelled: z.number(),
    cost: z.number().default(0),
    rate: z.number().default(0),
    eta: z.object({ soonest: z.number(), latest: z.number() }).nullish(),
    stages: z
      .array(
        z.looseObject({
          stage: z.string(),
          state: z.string(),
          held: z.string().nullish(),
          count: z.number(),
        }),
      )
      .default([]),
  }),
});
export type BatchView = z.infer<typeof batchView>;

export function line({ id, name, state, priority, progress }: BatchView): string {
  const { documents, open, failed } = progress;
  return `${id}  ${name}  ${state}  priority ${priority}  ${documents - open}/${documents} ended, ${failed} failed`;
}

export function progressLine({ state, progress }: BatchView): string {
  const { documents, open, failed, cost, rate, eta, stages } = progress;
  const ended = documents - open;
  const stageCounts = stages.map(
    ({ stage, state: task, held, count }) =>
      `${stage}${held ? ` (${held})` : task === 'ready' ? ' (waiting)' : ''} ${count}`,
  );
  return [
    `${bar(ended, documents)} ${ended}/${documents}`,
    state,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cost > 0 ? [inDollars(toMicros(cost))] : []),
    ...(rate > 0 ? [`${rate}/s`] : []),
    ...(eta && open > 0 ? [`${duration(eta.soonest)} to ${duration(eta.latest)} left`] : []),
    ...stageCounts,
  ].join('  ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
