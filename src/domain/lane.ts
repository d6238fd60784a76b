/** Stages with heavy work have two queues, so that large documents do not block small ones. */
export const lanes = ['small', 'large'] as const;
export type Lane = (typeof lanes)[number];

export function queueName(stage: string, lane: Lane = 'small'): string {
  return lane === 'large' ? `${stage}-large` : stage;
}

/** The queues that a name selects: a stage selects both of its lanes, a lane only itself. */
export function queuesNamed(name: string, queues: readonly string[]): string[] {
  const stage = name.replace(/-small$/, '');
  const isLaned = queues.includes(queueName(stage, 'large'));
  if (name !== stage) return isLaned ? [stage] : [];
  if (!queues.includes(name)) return [];
  return isLaned ? lanes.map((lane) => queueName(name, lane)) : [name];
}

/** A document of at least this size uses the large lane. */
export interface LargeFrom {
  bytes: number;
  pages: number;
}

/** Size of a document, and the overrides of this run. */
export interface Sized {
  bytes: number;
  ingestion: { pages: number | null; overrides: { lane?: Lane | undefined } };
}

/** The lane in which a document starts a stage that has two. */
export function firstLane(
  { bytes, ingestion: { pages, overrides } }: Sized,
  largeFrom: LargeFrom,
): Lane {
  return (
    overrides.lane ??
    (bytes >= largeFrom.bytes || (pages ?? 0) >= largeFrom.pages ? 'large' : 'small')
  );
}
