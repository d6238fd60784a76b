import { chainsOf } from '../../src/sandbox/onnx/chains.ts';
import type { Ranges } from '../../src/sandbox/onnx/integer-chain.ts';
import { readGraph, withOutputs } from '../../src/sandbox/onnx/model.ts';
import type { Range } from '../../src/sandbox/onnx/scale.ts';
import type { SampleLine } from './lines.ts';
import { openSession } from './session.ts';

/**
 * The share of values that may lie beyond a range. Cutting off rare large values that enter a chain changed more letters
 * than coarser steps did; inside a chain, where every tensor is rounded, finer steps were worth more.
 */
const beyond = { entering: 1e-5, inside: 1e-4 };
/** One value in so many is looked at. */
const EVERY = 29;

/** What tensors hold that are to be integers. */
export async function observe(model: Buffer, lines: readonly SampleLine[]): Promise<Ranges> {
  const shares = sharesOf(model);
  const session = await openSession(withOutputs(model, [...shares.keys()]));
  const seen = new Map([...shares.keys()].map((name) => [name, [] as number[]]));
  for (const [offset, line] of lines.entries()) {
    const outputs = await session(line);
    for (const [name, values] of seen) {
      const output = outputs[name] ?? new Float32Array();
      for (let i = offset % EVERY; i < output.length; i += EVERY) values.push(output[i] ?? 0);
    }
  }
  const ranges = [...seen].map(([name, values]) => [name, rangeOf(Float32Array.from(values), shares.get(name) ?? 0)]);
  return Object.fromEntries(ranges);
}

function sharesOf(model: Buffer): Map<string, number> {
  const chains = chainsOf(readGraph(model));
  return new Map([
    ...chains.flatMap((chain) => chain.slice(0, 1).map(({ input }) => [input, beyond.entering] as const)),
    ...chains.flatMap((chain) =>
      chain.slice(0, -1).flatMap(({ sum, output }) => [sum, output].map((name) => [name, beyond.inside] as const)),
    ),
  ]);
}

function rangeOf(values: Float32Array, share: number): Range {
  const sorted = values.sort();
  const left = Math.floor(share * sorted.length);
  const at = (index: number) => Number((sorted[index] ?? 0).toPrecision(4));
  return [at(left), at(sorted.length - 1 - left)];
}
