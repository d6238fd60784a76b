import { asc, eq } from 'drizzle-orm';
import type { Db } from './index.ts';
import { qualityDistribution, stageStatistics } from './schema/statistics.ts';

/** What stages did in the last day, as of the latest refresh. */
export function stageFigures(db: Db) {
  return db
    .select()
    .from(stageStatistics)
    .orderBy(asc(stageStatistics.stage), asc(stageStatistics.outcome));
}

/** How well documents could be read in the last month; of one workspace, or of all. */
export function qualityFigures(db: Db, workspaceId: string | undefined) {
  const own =
    workspaceId === undefined ? undefined : eq(qualityDistribution.workspaceId, workspaceId);
  return db
    .select()
    .from(qualityDistribution)
    .where(own)
    .orderBy(asc(qualityDistribution.day), asc(qualityDistribution.tenth));
}
