import { chainsOf } from '../../src/sandbox/onnx/chains.ts';
import { readGraph, withOutputs } from '../../src/sandbox/onnx/model.ts';
import type { Range } from '../../src/sandbox/onnx/scale.ts';
import type { SampleLine } from './lines.ts';
import { openSession } from './session.ts';

/** Where a range may end: at the most that was seen, or so that a share of what was seen lies beyond. */
const SHARES = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 0];
/** One value in so many is looked at. */
const EVERY = 29;

/** Ranges to choose from, the tightest first. */
export type Choices = Readonly<Record<string, readonly Range[]>>;

/** What the tensors around each layer hold. */
export async function observe(model: Buffer, lines: readonly SampleLine[]): Promise<Choices> {
  const graph = readGraph(model);
  const names = chainsOf(graph).flatMap((chain) => [
    ...chain.slice(0, 1).map(({ input }) => input),
    ...chain.slice(0, -1).flatMap(({ sum, output }) => [sum, output]),
  ]);
  const session = await openSession(withOutputs(model, names), 'basic');
  const seen = new Map(names.map((name) => [name, [] as number[]]));
  for (const line of lines) {
    const outputs = await session(line);
    for (const [name, values] of seen) {
      for (let i = lines.indexOf(line) % EVERY; i < (outputs[name]?.length ?? 0); i += EVERY)
        values.push(outputs[name]?.[i] ?? 0);
    }
  }
  return Object.fromEntries([...seen].map(([name, values]) => [name, rangesOf(Float32Array.from(values).sort())]));
}

function rangesOf(sorted: Float32Array): Range[] {
  const at = (index: number) => Number((sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? 0).toPrecision(4));
  return SHARES.map((share) => {
    const beyond = Math.floor(share * sorted.length);
    return [at(beyond), at(sorted.length - 1 - beyond)];
  });
}
