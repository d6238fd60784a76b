import type { Db } from '../db/index.ts';
import { insertReplay } from '../db/replays.ts';
import type { LetterFilters } from '../domain/letter-filters.ts';
import type { Overrides } from '../domain/overrides.ts';
import { countFitting } from '../engine/dead-letters/index.ts';
import type { ReplayOutcome } from './replay.ts';

export interface ReplayAll {
  workspaceId: string | undefined;
  filters: LetterFilters;
  overrides: Overrides;
  sealedPassword: string | undefined;
  /** Documents started per second. Default: no limit. */
  rate: number | undefined;
  /** Maximum number of letters. Default: all that match. */
  limit: number | undefined;
}

const none = {
  replayed: 0,
  'already-replayed': 0,
  discarded: 0,
  'under-way': 0,
  'succeeded-since': 0,
  refused: 0,
} satisfies Record<ReplayOutcome | 'refused', number>;

/** Records a replay of all matching letters. `advanceReplay` carries it out, in any process. */
export async function startReplay(
  db: Db,
  { workspaceId, limit, rate, ...asked }: ReplayAll,
): Promise<string> {
  const matching = await countFitting(db, workspaceId, asked.filters);
  const total = Math.min(matching, limit ?? matching);
  return insertReplay(db, {
    ...asked,
    workspaceId: workspaceId ?? null,
    sealedPassword: asked.sealedPassword ?? null,
    rate: rate ?? null,
    total,
    more: matching > total,
    outcomes: none,
  });
}
