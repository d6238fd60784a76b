import { existsSync } from 'node:fs';
import { type Bench, onFreshDatabase } from './bench.ts';
import { type OpenCourse, throughput } from './course.ts';
import { throughEngine } from './engine.ts';
import { noOps } from './engine-course.ts';
import { compare, type Figure } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

type Peer = Record<'documented' | 'tuned', (databaseUrl: string) => OpenCourse>;

/** The alternatives a user would consider: the same five hops on Postgres-based queues. */
export const peers: Part = {
  async lacks() {
    const installed = existsSync(new URL('../node_modules/pg-boss', import.meta.url));
    return installed ? undefined : 'the peers are not installed (npm ci --prefix bench)';
  },
  async run(bench) {
    const [boss, graphile] = await Promise.all([load('pg-boss'), load('graphile-worker')]);
    const few = bench.size(200);
    const many = bench.size(2000);
    const samples = await interleave(bench, {
      engine: () => throughEngine(bench, noOps, many),
      'pg-boss': () => through(bench, boss.documented, few),
      'pg-boss tuned': () => through(bench, boss.tuned, many),
      'graphile-worker': () => through(bench, graphile.documented, bench.size(300)),
      'graphile-worker tuned': () => through(bench, graphile.tuned, many),
    });
    const line = (against: Exclude<keyof typeof samples, 'engine'>, atLeast: number): Figure =>
      compare(
        { what: 'engine, five no-op stages', unit: 'documents/s', against, target: { atLeast } },
        samples.engine,
        samples[against],
      );
    return [
      line('pg-boss', 5),
      line('pg-boss tuned', 1.3),
      line('graphile-worker', 5),
      line('graphile-worker tuned', 0.6),
    ];
  },
};

/**
 * Imported dynamically, because the peers are packages of the benchmark and may not be installed.
 */
async function load(name: string): Promise<Peer> {
  return await import(new URL(`../peers/${name}.ts`, import.meta.url).href);
}

function through(bench: Bench, open: Peer['tuned'], count: number): Promise<number> {
  return onFreshDatabase(bench, (url) => throughput(count, open(url)));
}
