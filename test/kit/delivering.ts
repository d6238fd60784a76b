import { eq } from 'drizzle-orm';
import { insertDestination, type NewDestination } from '../../src/db/destinations.ts';
import { deliveries } from '../../src/db/schema/deliveries.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Resources } from '../../src/resources.ts';
import { deliveringPipeline } from './delivering-pipeline.ts';
import { drain } from './drain.ts';
import { openTestEngine } from './engine.ts';

/** An engine that completes documents at once and then delivers them. */
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
      deliverDoubtful: false,
      ...more,
    });
  const deliveriesOf = (documentId: string) =>
    db.select().from(deliveries).where(eq(deliveries.documentId, documentId));
  return {
    ...engine,
    destination,
    deliveriesOf,
    /** The only delivery of a document. */
    async deliveryOf(documentId: string) {
      const [found] = await deliveriesOf(documentId);
      if (!found) throw new Error('The document has no delivery');
      return found;
    },
    /** Makes all waiting tasks due and runs them, `times` times. */
    async run(times = 1) {
      for (let i = 0; i < times; i++) {
        await pool.query("update tasks set not_before = now() where state = 'ready'");
        await drain(engine.runnerWith());
      }
    },
    /** Deletes all destinations, so that only new ones receive deliveries. */
    forget: () => pool.query('update destinations set deleted_at = now()'),
  };
}
