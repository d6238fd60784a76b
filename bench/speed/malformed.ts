import { addMalformed } from '../../test/kit/malformed.ts';
import { cpuSeconds } from '../ocr/cpu.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { countdown } from './countdown.ts';
import { noOps, openEngine } from './engine-course.ts';
import { compare } from './figure.ts';
import { hops } from './hops.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

/** How much longer valid documents take when every queue starts with malformed jobs. */
export const malformed: Part = {
  async run(bench) {
    const jobs = bench.size(10_000, 100);
    const cpu = { clean: [] as number[], mixed: [] as number[] };
    const run = async (kind: keyof typeof cpu, bad: number) => {
      const { seconds, cpuSpent } = await measure(bench, bad);
      cpu[kind].push(cpuSpent);
      return seconds;
    };
    const samples = await interleave(bench, {
      clean: () => run('clean', 0),
      mixed: () => run('mixed', jobs),
    });
    const line = { unit: 's', against: 'the same without them', target: { atMost: 2 } };
    const what = `${bench.size(2500)} documents behind ${jobs} malformed jobs`;
    return [
      compare({ ...line, what }, samples.mixed, samples.clean),
      compare({ ...line, what: `${what}, CPU` }, cpu.mixed, cpu.clean),
    ];
  },
};

/** From the start until the last document has passed. The CPU time is that of all processes. */
async function measure(bench: Bench, bad: number): Promise<{ seconds: number; cpuSpent: number }> {
  const count = bench.size(2500);
  return onFreshDatabase(bench, async (databaseUrl) => {
    const { tell, done } = countdown(count);
    const course = await openEngine({ ...bench, databaseUrl }, noOps, tell);
    try {
      if (bad > 0) await addMalformed(course.queues, bad, [...hops]);
      await course.seed(count);
      const before = { at: performance.now(), cpu: await cpuSeconds() };
      await course.start();
      await done;
      return {
        seconds: (performance.now() - before.at) / 1000,
        cpuSpent: (await cpuSeconds()) - before.cpu,
      };
    } finally {
      await course.close();
    }
  });
}
