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
  /** Documents begun a second; as fast as it goes when absent. */
  rate: number | undefined;
  /** Most letters; all that fit when absent. */
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

/** Writes down that the open letters that fit are to be replayed. `advanceReplay` does it, in this process or any other. */
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
