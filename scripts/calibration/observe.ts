import type { Ranges } from '../../src/recognition/onnx/integer-chain.ts';
import { withOutputs } from '../../src/recognition/onnx/model.ts';
import type { Range } from '../../src/recognition/onnx/scale.ts';
import type { ModelInput } from './inputs.ts';
import { openSession } from './session.ts';

/** By tensor: the share of its values that may lie outside the range. */
export type Observed = ReadonlyMap<string, number>;

/** About this many values are sampled per tensor and input. */
const SAMPLE_SIZE = 20_000;

/** Measures the value ranges of tensors that will be quantised. */
export async function observe(
  model: Buffer,
  observed: Observed,
  inputs: AsyncIterable<ModelInput>,
): Promise<Ranges> {
  const session = await openSession(withOutputs(model, [...observed.keys()]));
  const seen = new Map([...observed.keys()].map((name) => [name, [] as number[]]));
  for await (const input of inputs) {
    const outputs = await session(input);
    for (const [name, values] of seen) {
      const output = outputs[name] ?? new Float32Array();
      // An odd step, so that no channel or column is skipped every time.
      const step = 2 * Math.floor(output.length / SAMPLE_SIZE / 2) + 1;
      for (let i = values.length % step; i < output.length; i += step) values.push(output[i] ?? 0);
    }
  }
  const ranges = [...seen].map(([name, values]) => [
    name,
    rangeOf(Float32Array.from(values), observed.get(name) ?? 0),
  ]);
  return Object.fromEntries(ranges);
}

function rangeOf(values: Float32Array, share: number): Range {
  const sorted = values.sort();
  const left = Math.floor(share * sorted.length);
  const at = (index: number) => Number((sorted[index] ?? 0).toPrecision(4));
  return [at(left), at(sorted.length - 1 - left)];
}
