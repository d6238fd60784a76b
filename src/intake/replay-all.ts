import type { Db } from '../db/index.ts';
import type { LetterFilters } from '../domain/letter-filters.ts';
import type { Overrides } from '../domain/overrides.ts';
import { type DeadLetter, listDeadLetters } from '../engine/dead-letters.ts';
import { ConflictError, UnknownTypeError } from '../errors.ts';
import type { IntakeSettings } from './intake.ts';
import { type ReplayOutcome, replay } from './replay.ts';

export interface ReplayAll {
  workspaceId: string | undefined;
  filters: LetterFilters;
  overrides: Overrides;
  /** Documents begun a second; all at once when absent. */
  rate: number | undefined;
  /** Most letters in one go. */
  limit: number;
}

export interface ReplayedAll {
  outcomes: Record<ReplayOutcome | 'refused', number>;
  /** Why some were refused, each reason once. */
  reasons: string[];
  /** Whether letters that fit are left for another call. */
  more: boolean;
}

const pageSize = 200;

/** Replays the open letters that fit. The rate needs nobody to keep it: each run is due a little later than the last. */
export async function replayAll(
  db: Db,
  { rate, limit, ...asked }: ReplayAll,
  intake: IntakeSettings,
): Promise<ReplayedAll> {
  const outcomes: ReplayedAll['outcomes'] = {
    replayed: 0,
    'already-replayed': 0,
    discarded: 0,
    'under-way': 0,
    'succeeded-since': 0,
    refused: 0,
  };
  const reasons = new Set<string>();
  const one = async ({ id }: DeadLetter) => {
    const delayMs = rate === undefined ? 0 : Math.round((outcomes.replayed * 1000) / rate);
    try {
      const run = { overrides: asked.overrides, delayMs };
      const { outcome, hints: own } = await replay(db, { id, workspaceId: asked.workspaceId }, intake, run);
      outcomes[outcome] += 1;
      return own;
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof UnknownTypeError)) throw error;
      outcomes.refused += 1;
      reasons.add(error.message);
      return [];
    }
  };
  let left = limit;
  let before: string | undefined;
  for (;;) {
    const most = Math.min(pageSize, left);
    const letters = await listDeadLetters(db, { ...asked, before, limit: most + 1 });
    const page = letters.slice(0, most);
    const hints = [];
    for (const letter of page) hints.push(...(await one(letter)));
    await intake.announce(hints);
    left -= page.length;
    before = page.at(-1)?.id;
    const more = letters.length > most;
    if (!more || left === 0) return { outcomes, reasons: [...reasons], more };
  }
}
