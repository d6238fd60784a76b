import { type Bench, onFreshDatabase } from './bench.ts';
import { countdown } from './countdown.ts';
import { noOps, openEngine } from './engine-course.ts';
import { compare, type Figure } from './figure.ts';
import { hops } from './hops.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';
import { seedDocuments } from './seed-documents.ts';

/**
 * The cost of a document when the tables are full of finished documents, and when many documents
 * are waiting.
 */
export const growth: Part = {
  async run(bench) {
    const finished = bench.size(1_000_000);
    const waiting = bench.size(100_000);
    return withFull(bench, finished, async (fullUrl) => {
      const samples = await interleave(bench, {
        empty: () => onFreshDatabase(bench, (url) => costAt(bench, url, 0)),
        finished: () => costAt(bench, fullUrl, 0),
        waiting: () => onFreshDatabase(bench, (url) => costAt(bench, url, waiting)),
      });
      const line = { unit: 'µs a document', against: 'empty tables', target: { atMost: 1.2 } };
      return [
        compare(
          { ...line, what: `cost with ${finished} finished documents` },
          samples.finished,
          samples.empty,
        ),
        compare(
          { ...line, what: `cost with ${waiting} waiting documents` },
          samples.waiting,
          samples.empty,
        ),
      ];
    });
  },
};

async function withFull(bench: Bench, finished: number, work: (url: string) => Promise<Figure[]>) {
  return onFreshDatabase(bench, async (url) => {
    const engine = await openEngine({ ...bench, databaseUrl: url }, noOps, () => undefined);
    bench.note(`making ${finished} finished documents`);
    await seedDocuments(engine.database.pool, finished, hops[4], { finished: true });
    await engine.database.pool.query('analyze');
    await engine.close();
    return work(url);
  });
}

/**
 * The cost of the first documents to finish. The engine also works on the ones behind them, so the
 * time is divided by all completed hops.
 */
async function costAt(bench: Bench, databaseUrl: string, waiting: number): Promise<number> {
  const measured = bench.size(2500);
  const { tell, done } = countdown(measured);
  let hopsDone = 0;
  const course = await openEngine({ ...bench, databaseUrl }, noOps, tell, () => {
    hopsDone += 1;
  });
  try {
    await course.seed(measured + waiting);
    const startedAt = performance.now();
    await course.start();
    await done;
    return ((performance.now() - startedAt) * 1000 * hops.length) / hopsDone;
  } finally {
    await course.close();
  }
}
