import { eq } from 'drizzle-orm';
import { accounts } from '../../src/db/schema/accounts.ts';
import { batches } from '../../src/db/schema/batches.ts';
import { workspaces } from '../../src/db/schema/workspaces.ts';
import { releaseHeld } from '../../src/engine/budget/release.ts';
import { spend } from '../../src/engine/budget/spend.ts';
import { done } from '../../src/engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../../src/engine/pipeline/pipeline.ts';
import { defineStage } from '../../src/engine/pipeline/stage.ts';
import { newId } from '../../src/lib/ids.ts';
import { drain } from './drain.ts';
import { openTestEngine } from './engine.ts';

/** An engine with one paid stage, and a vendor whose calls cost at most 100 and actually 60. */
export async function openPaying() {
  const usual = async (charge: (micros: number) => void) => charge(60);
  const vendor = { calls: 0, answer: usual };
  const claim = defineStage({
    async run(document, context) {
      const free = document.name.startsWith('free');
      await spend(document, context, {
        engine: 'vendor/1',
        quote: free ? 0 : 100,
        buy: async (charge) => {
          vendor.calls += 1;
          await vendor.answer(charge);
        },
      });
      return done('on');
    },
  });
  const engine = await openTestEngine(definePipeline({ claim: step(claim, { on: end }) }));
  const { db, pool } = engine.resources.database;
  const { workspaceId } = engine;
  return {
    ...engine,
    db,
    pool,
    vendor,
    /** Resets all spending. */
    async forget() {
      Object.assign(vendor, { calls: 0, answer: usual });
      await pool.query(
        'delete from accounts; delete from reservations; delete from tasks; update workspaces set daily_budget_micros = null',
      );
    },
    setBudget: (dailyBudgetMicros: number | null) =>
      db.update(workspaces).set({ dailyBudgetMicros }).where(eq(workspaces.id, workspaceId)),
    spent: async () => (await db.select().from(accounts)).map(({ spentMicros }) => spentMicros),
    admitPaying: async (count: number, name = 'paid') =>
      Promise.all(
        Array.from(
          { length: count },
          async (_, i) => (await engine.admit(newId(), `${name}-${i}`)).documentId,
        ),
      ),
    run: () => drain(engine.runnerWith()),
    statesOf: async (ids: string[]) =>
      Promise.all(ids.map(async (id) => (await engine.taskOf(id)).state)),
    release: () => releaseHeld(pool, { workspaceId, dailyBudgetMicros: undefined }),
    /** Moves admitted documents into a batch with a budget. */
    async inBatch(ids: string[], maxCostMicros: number): Promise<string> {
      const id = newId();
      await db
        .insert(batches)
        .values({ id, workspaceId, name: 'import', type: 'FILES', maxCostMicros });
      await pool.query('update documents set batch_id = $1 where id = any($2)', [id, ids]);
      await pool.query('update ingestions set batch_id = $1 where document_id = any($2)', [
        id,
        ids,
      ]);
      return id;
    },
  };
}
