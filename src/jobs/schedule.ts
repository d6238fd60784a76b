import type { Schedule } from '../engine/schedule/scheduler.ts';
import { announceDueTasks } from './announce-due-tasks.ts';
import { applyRetention } from './apply-retention.ts';
import { batchMonitor } from './batch-monitor.ts';
import { checkInvariantsJob } from './check-invariants.ts';
import { prepareEventPartitions } from './prepare-event-partitions.ts';
import { purgeHistory } from './purge-history.ts';
import { purgeRuns } from './purge-runs.ts';
import { purgeSessions } from './purge-sessions.ts';
import { reconcileQueues } from './reconcile-queues.ts';
import { reconcileStorage } from './reconcile-storage.ts';
import { refreshQualityDistribution } from './refresh-quality-distribution.ts';
import { refreshStageStatistics } from './refresh-stage-statistics.ts';
import { releaseHeldJob } from './release-held.ts';
import { replayDeadLetters } from './replay-dead-letters.ts';
import { sendWebhooks } from './send-webhooks.ts';
import { sweepDeliveriesJob } from './sweep-deliveries.ts';
import { sweepStaleClaims } from './sweep-stale-claims.ts';
import { watchRedis } from './watch-redis.ts';

export const schedule = {
  'announce-due-tasks': announceDueTasks,
  'reconcile-queues': reconcileQueues,
  'sweep-stale-claims': sweepStaleClaims,
  'batch-monitor': batchMonitor,
  'release-held': releaseHeldJob,
  'watch-redis': watchRedis,
  'sweep-deliveries': sweepDeliveriesJob,
  'replay-dead-letters': replayDeadLetters,
  'send-webhooks': sendWebhooks,
  'prepare-event-partitions': prepareEventPartitions,
  'check-invariants': checkInvariantsJob,
  'refresh-stage-statistics': refreshStageStatistics,
  'refresh-quality-distribution': refreshQualityDistribution,
  'reconcile-storage': reconcileStorage,
  'apply-retention': applyRetention,
  'purge-sessions': purgeSessions,
  'purge-runs': purgeRuns,
  'purge-history': purgeHistory,
} satisfies Schedule;
