import type { Db } from '../db/index.ts';
import { isOutage } from '../db/outage.ts';
import { endReplay, findReplay, lockReplay, moveReplay, type ReplayRow } from '../db/replays.ts';
import { type DeadLetter, listDeadLetters } from '../engine/dead-letters/index.ts';
import type { Announcement } from '../engine/task/task.ts';
import type { IntakeSettings } from '../intake/intake.ts';
import { describeError } from '../lib/describe-error.ts';
import { MINUTE } from '../lib/time.ts';
import { apart } from '../observability/tracing/index.ts';
import { replay } from './replay.ts';

type Needs = Omit<IntakeSettings, 'maxBytes'>;

const pageSize = 100;
const mostReasons = 20;
/** A run due later than this is not started yet: it would occupy a slot in the window. */
const aheadMs = 1 * MINUTE;

/** Replays up to `most` letters. Safe to run concurrently: only one caller advances. */
export async function advanceReplay(
  db: Db,
  id: string,
  intake: Needs,
  most: number,
): Promise<number> {
  let handled = 0;
  while (handled < most) {
    const current = await findReplay(db, id);
    if (current?.state !== 'running') break;
    const left = current.total - current.handled;
    const letters = await nextLetters(db, current, Math.min(pageSize, left, most - handled));
    const hints: Announcement[] = [];
    let { position } = current;
    for (const letter of letters) {
      // Each document gets its own trace.
      const own = await apart(() => replayOne(db, { id, position }, letter, intake));
      if (!own) break;
      hints.push(...own);
      position = letter.id;
      handled += 1;
    }
    await intake.announce(hints);
    if (letters.length === 0) await endReplay(db, id, 'done');
    else if (position !== letters.at(-1)?.id) break;
  }
  return handled;
}

function nextLetters(
  db: Db,
  { workspaceId, filters, position }: ReplayRow,
  limit: number,
): Promise<DeadLetter[]> {
  if (limit <= 0) return Promise.resolve([]);
  return listDeadLetters(db, {
    workspaceId: workspaceId ?? undefined,
    filters,
    before: position ?? undefined,
    limit,
  });
}

/**
 * Replays one letter and counts it in the same transaction, so that a crash neither counts it twice
 * nor skips it. Undefined if it cannot be done now.
 */
function replayOne(
  db: Db,
  { id, position }: Pick<ReplayRow, 'id' | 'position'>,
  letter: DeadLetter,
  intake: Needs,
): Promise<Announcement[] | undefined> {
  return db.transaction(async (tx) => {
    const locked = await lockReplay(tx, id);
    if (!locked || locked.replay.position !== position) return undefined;
    const { workspaceId, overrides, sealedPassword, rate, handled, outcomes, reasons } =
      locked.replay;
    const dueMs = rate === null ? 0 : ((outcomes.replayed ?? 0) * 1000) / rate - locked.ageMs;
    if (dueMs > aheadMs) return undefined;
    const run = {
      overrides,
      sealedPassword: sealedPassword ?? undefined,
      delayMs: Math.max(0, Math.round(dueMs)),
    };
    const of = { id: letter.id, workspaceId: workspaceId ?? undefined };
    const { outcome, hints, reason } = await replay(tx, of, intake, run).then(
      (done) => ({ ...done, reason: undefined }),
      refused,
    );
    await moveReplay(tx, id, {
      position: letter.id,
      handled: handled + 1,
      outcomes: { ...outcomes, [outcome]: (outcomes[outcome] ?? 0) + 1 },
      reasons:
        reason === undefined ? reasons : [...new Set([...reasons, reason])].slice(0, mostReasons),
    });
    return hints;
  });
}

/** A letter that cannot be replayed must not stop the others. */
function refused(error: unknown): { outcome: 'refused'; hints: Announcement[]; reason: string } {
  if (isOutage(error)) throw error;
  return { outcome: 'refused', hints: [], reason: describeError(error) };
}
