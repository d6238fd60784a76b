import { sql } from 'drizzle-orm';
import { done, reject } from '../../src/engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../../src/engine/pipeline/pipeline.ts';
import { defineStage, defineWork } from '../../src/engine/pipeline/stage.ts';

/** The table of a made-up kind of work item: a counter that is raised by its task. */
export const countersTable = `
create table counters (id uuid primary key, target int not null, value int not null default 0, failure text)`;

const count = defineWork({
  kind: 'counter',
  async run({ id }, { database }) {
    const { rows } = await database.db.execute<{ target: number }>(
      sql`select target from counters where id = ${id}`,
    );
    const target = rows[0]?.target ?? 0;
    if (target < 0) return reject('INVALID_FILE', `The target ${target} cannot be reached`);
    return done('counted', (tx) =>
      tx.execute(sql`update counters set value = value + 1, failure = null where id = ${id}`),
    );
  },
  failed: (tx, { id }, { code }) =>
    tx.execute(sql`update counters set failure = ${code} where id = ${id}`),
});

/** Documents and counters side by side. */
export const countingPipeline = definePipeline({
  claim: step(defineStage({ run: async () => done('on') }), { on: end }),
  count: step(count, { counted: end }),
});
