/** Stages with heavy work have two queues: documents that need more time and memory do not stand before the others. */
export const lanes = ['small', 'large'] as const;
export type Lane = (typeof lanes)[number];

export function queueName(stage: string, lane: Lane = 'small'): string {
  return lane === 'large' ? `${stage}-large` : stage;
}

/** What of these queues a worker is told to serve by a name: a stage with both its lanes, or one lane of it. */
export function queuesNamed(name: string, queues: readonly string[]): string[] {
  const stage = name.replace(/-small$/, '');
  const isLaned = queues.includes(queueName(stage, 'large'));
  if (name !== stage) return isLaned ? [stage] : [];
  if (!queues.includes(name)) return [];
  return isLaned ? lanes.map((lane) => queueName(name, lane)) : [name];
}

/** From which size on a document is large. */
export interface LargeFrom {
  bytes: number;
  pages: number;
}

/** What is known of a document's size, and what whoever asked for this run wants. */
export interface Sized {
  bytes: number;
  ingestion: { pages: number | null; overrides: { lane?: Lane | undefined } };
}

/** The lane in which a document begins a stage that has two. */
export function firstLane(
  { bytes, ingestion: { pages, overrides } }: Sized,
  largeFrom: LargeFrom,
): Lane {
  return (
    overrides.lane ??
    (bytes >= largeFrom.bytes || (pages ?? 0) >= largeFrom.pages ? 'large' : 'small')
  );
}
