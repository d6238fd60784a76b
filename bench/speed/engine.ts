import type { Pipeline } from '../../src/engine/pipeline/pipeline.ts';
import { openBareChain } from './bare-chain.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { throughput } from './course.ts';
import { finalizing, hintEach, noOps, openEngine } from './engine-course.ts';
import { compare } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

/** Documents per second through five queues, compared with BullMQ without a database. */
export const engine: Part = {
  async run(bench) {
    const count = bench.size(2500);
    const samples = await interleave(bench, {
      bare: () => bareChain(bench, count),
      engine: () => throughEngine(bench, noOps, count),
      hintEach: () => throughEngine(bench, hintEach, count),
      finalizing: () => throughEngine(bench, finalizing, count),
    });
    const line = { unit: 'documents/s', against: 'bare BullMQ chain' };
    return [
      compare(
        { ...line, what: 'engine, five no-op stages', target: { atLeast: 0.7 } },
        samples.engine,
        samples.bare,
      ),
      compare(
        { ...line, what: 'engine, five no-op stages, a hint a task' },
        samples.hintEach,
        samples.bare,
      ),
      compare(
        { ...line, what: 'engine, the last stage ends the ingestion' },
        samples.finalizing,
        samples.bare,
      ),
    ];
  },
};

export function bareChain(bench: Bench, count: number): Promise<number> {
  return throughput(count, (onEnd) => openBareChain(bench, onEnd));
}

export function throughEngine(bench: Bench, pipeline: Pipeline, count: number): Promise<number> {
  return onFreshDatabase(bench, (databaseUrl) =>
    throughput(count, (onEnd) => openEngine({ ...bench, databaseUrl }, pipeline, onEnd)),
  );
}
