import type { Schedule } from '../engine/interval.ts';
import { announceDueTasks } from './announce-due-tasks.ts';
import { prepareEventPartitions } from './prepare-event-partitions.ts';
import { purgeSessions } from './purge-sessions.ts';
import { reconcileQueues } from './reconcile-queues.ts';
import { refreshQualityDistribution } from './refresh-quality-distribution.ts';
import { refreshStageStatistics } from './refresh-stage-statistics.ts';
import { sweepStaleClaims } from './sweep-stale-claims.ts';
import { watchRedis } from './watch-redis.ts';

/** The clock: every interval job, by its name. */
export const schedule = {
  'announce-due-tasks': announceDueTasks,
  'reconcile-queues': reconcileQueues,
  'sweep-stale-claims': sweepStaleClaims,
  'watch-redis': watchRedis,
  'prepare-event-partitions': prepareEventPartitions,
  'refresh-stage-statistics': refreshStageStatistics,
  'refresh-quality-distribution': refreshQualityDistribution,
  'purge-sessions': purgeSessions,
} satisfies Schedule;
