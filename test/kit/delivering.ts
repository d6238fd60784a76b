import { eq } from 'drizzle-orm';
import { insertDestination, type NewDestination } from '../../src/db/destinations.ts';
import { deliveries } from '../../src/db/schema/deliveries.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Resources } from '../../src/resources.ts';
import { deliveringPipeline } from './delivering-pipeline.ts';
import { drain } from './drain.ts';
import { openTestEngine } from './engine.ts';

/** An engine whose documents are completed at once and then delivered. */
export async function openDelivering(overrides: Partial<Resources> = {}) {
  const engine = await openTestEngine(deliveringPipeline, overrides);
  const { db, pool } = engine.resources.database;
  const destination = (
    settings: Record<string, unknown>,
    more: Partial<NewDestination> = {},
    secret?: object,
  ) =>
    insertDestination(db, {
      workspaceId: engine.workspaceId,
      name: newId(),
      kind: 'http',
      settings,
      secret: secret ? engine.resources.seal.seal(JSON.stringify(secret)) : null,
      enabled: true,
      maxConcurrent: null,
      holdMs: 0,
      ...more,
    });
  const deliveriesOf = (documentId: string) =>
    db.select().from(deliveries).where(eq(deliveries.documentId, documentId));
  return {
    ...engine,
    destination,
    deliveriesOf,
    /** The delivery of a document that has one. */
    async deliveryOf(documentId: string) {
      const [found] = await deliveriesOf(documentId);
      if (!found) throw new Error('The document has no delivery');
      return found;
    },
    /** Runs what is due; then what would be due later, so many times. */
    async run(times = 1) {
      for (let i = 0; i < times; i++) {
        await pool.query("update tasks set not_before = now() where state = 'ready'");
        await drain(engine.runnerWith());
      }
    },
    /** Leaves only new destinations to deliver to. */
    forget: () => pool.query('update destinations set deleted_at = now()'),
  };
}
