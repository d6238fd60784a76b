import { asc, eq } from 'drizzle-orm';
import type { Db } from './index.ts';
import { qualityDistribution, stageStatistics } from './schema/statistics.ts';

/** Stage statistics of the last day, as of the latest refresh. */
export function stageFigures(db: Db) {
  return db
    .select()
    .from(stageStatistics)
    .orderBy(asc(stageStatistics.stage), asc(stageStatistics.outcome));
}

/** Transcription quality over the last month, of one workspace or all. */
export function qualityFigures(db: Db, workspaceId: string | undefined) {
  const own =
    workspaceId === undefined ? undefined : eq(qualityDistribution.workspaceId, workspaceId);
  return db
    .select()
    .from(qualityDistribution)
    .where(own)
    .orderBy(asc(qualityDistribution.day), asc(qualityDistribution.tenth));
}
