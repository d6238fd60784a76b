import pg from 'pg';
import { openBareChain } from './bare-chain.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import type { OpenCourse } from './course.ts';
import { noOps, openEngine } from './engine-course.ts';
import { compare, quantile } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

/** The time one document takes through five empty queues. */
export const latency: Part = {
  async run(bench) {
    const count = bench.size(100);
    const tails = { engine: [] as number[], bare: [] as number[], committing: [] as number[] };
    const timed = async (name: keyof typeof tails, open: OpenCourse) => {
      const times = (await oneByOne(count, open)).toSorted((a, b) => a - b);
      tails[name].push(quantile(times, 0.99));
      return quantile(times, 0.5);
    };
    const middles = await interleave(bench, {
      bare: () => timed('bare', (onEnd) => openBareChain(bench, onEnd)),
      committing: () =>
        onFreshDatabase(bench, (databaseUrl) =>
          timed('committing', (onEnd) => openCommittingChain({ ...bench, databaseUrl }, onEnd)),
        ),
      engine: () =>
        onFreshDatabase(bench, (databaseUrl) =>
          timed('engine', (onEnd) => openEngine({ ...bench, databaseUrl }, noOps, onEnd)),
        ),
    });
    const line = { unit: 'ms', against: 'bare BullMQ chain', target: { atMost: 2 } };
    const floor = { unit: 'ms', against: 'the same with one INSERT a hop' };
    return [
      compare({ ...line, what: 'latency of one document, p50' }, middles.engine, middles.bare),
      compare({ ...line, what: 'latency of one document, p99' }, tails.engine, tails.bare),
      compare(
        { ...floor, what: 'latency of one document, p50' },
        middles.engine,
        middles.committing,
      ),
      compare({ ...floor, what: 'latency of one document, p99' }, tails.engine, tails.committing),
    ];
  },
};

/** BullMQ that commits every hop to disk. The lower bound for any durable engine. */
async function openCommittingChain(
  bench: Pick<Bench, 'redisUrl' | 'databaseUrl'>,
  onEnd: (id: string) => void,
) {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  await client.query('create table hops (id text)');
  const insert = (id: string) =>
    client.query({ name: 'hop', text: 'insert into hops values ($1)', values: [id] });
  const chain = await openBareChain(bench, onEnd, insert);
  const close = async () => {
    await chain.close();
    await client.end();
  };
  return { ...chain, close };
}

async function oneByOne(count: number, open: OpenCourse): Promise<number[]> {
  let ended = (): void => undefined;
  const course = await open(() => ended());
  try {
    await course.start();
    const through = async () => {
      const end = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await course.seed(1);
      const seededAt = performance.now();
      await end;
      return performance.now() - seededAt;
    };
    // Warm up: the first documents meet cold connections and unprepared statements.
    for (let i = 0; i < Math.min(count, 10); i++) await through();
    const times: number[] = [];
    for (let i = 0; i < count; i++) times.push(await through());
    return times;
  } finally {
    await course.close();
  }
}
