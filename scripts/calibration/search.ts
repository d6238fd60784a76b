import type { Ranges } from '../../src/sandbox/onnx/integer-chain.ts';
import { inIntegers } from '../../src/sandbox/onnx/integers.ts';
import type { SampleLine } from './lines.ts';
import type { Choices } from './observe.ts';
import { openSession } from './session.ts';

/** The choice to begin with: neither the tightest nor the widest. */
const START = 2;

/** Makes the range of one tensor after the other tighter or wider, as long as answers come nearer to those in floats. */
export async function search(model: Buffer, lines: readonly SampleLine[], choices: Choices): Promise<Ranges> {
  const wanted = await answers(model, lines);
  const chosen = new Map(Object.keys(choices).map((name) => [name, START]));
  const ranges = (): Ranges =>
    Object.fromEntries([...chosen].map(([name, choice]) => [name, choices[name]?.[choice] ?? [0, 0]]));
  const loss = async () => divergence(wanted, await answers(inIntegers(model, ranges()), lines));
  let least = await loss();
  for (const [name, all] of Object.entries(choices)) {
    for (const direction of [-1, 1]) {
      for (;;) {
        const now = chosen.get(name) ?? START;
        if (!all[now + direction]) break;
        chosen.set(name, now + direction);
        const lost = await loss();
        if (lost < least) least = lost;
        else chosen.set(name, now);
        if (chosen.get(name) === now) break;
      }
      if (chosen.get(name) !== START) break;
    }
    console.log(`${name}: choice ${chosen.get(name)}, divergence ${least}`);
  }
  return ranges();
}

async function answers(model: Buffer, lines: readonly SampleLine[]): Promise<Float32Array[]> {
  const session = await openSession(model, 'all');
  const all: Float32Array[] = [];
  for (const line of lines) all.push(...Object.values(await session(line)));
  return all;
}

/** How far answers are from the wanted ones: Kullback–Leibler divergence, the mean over all steps and classes. */
function divergence(wanted: readonly Float32Array[], got: readonly Float32Array[]): number {
  let sum = 0;
  let count = 0;
  for (const [i, scores] of wanted.entries()) {
    for (const [j, p] of scores.entries()) {
      if (p > TINY) sum += p * Math.log(p / Math.max(TINY, got[i]?.[j] ?? 0));
    }
    count += scores.length;
  }
  return sum / count;
}

const TINY = 1e-7;
