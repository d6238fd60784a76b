import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keys } from '../src/lib/keys.ts';
import { openBench } from './speed/bench.ts';
import { chart } from './speed/chart.ts';
import { type Figure, missed } from './speed/figure.ts';
import type { Part } from './speed/part.ts';
import { type PartName, parts } from './speed/parts.ts';
import { table } from './speed/table.ts';

/** `npm run bench [-- part …] [--rounds 3] [--check] [--smoke]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    /** Exit with an error and list the missed targets. */
    check: { type: 'boolean', default: false },
    /** A minimal run of each part, to check that it works. */
    smoke: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
});

const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`No such part: ${unknown.join(', ')}. There are: ${keys(parts).join(', ')}`);
const wanted = keys(parts).filter((name) => positionals.length === 0 || positionals.includes(name));

const bench = await openBench({
  rounds: values.smoke ? 1 : Number(values.rounds),
  smoke: values.smoke,
  note: (text) => console.error(`  ${text}`),
});
const figures: Figure[] = [];
const leftOut: string[] = [];
try {
  for (const name of wanted) {
    await measure(name);
    // Save after each part, so that a later failure does not lose its results.
    if (!values.smoke) await save();
  }
} finally {
  await bench.close();
}

console.log(`\n${table(figures)}`);
for (const reason of leftOut) console.log(`left out: ${reason}`);
if (values.check) judge();

async function measure(name: PartName): Promise<void> {
  console.error(name);
  const part: Part = parts[name];
  const lack = await part.lacks?.();
  if (lack) leftOut.push(`${name}: ${lack}`);
  else figures.push(...(await part.run(bench)));
}

async function save(): Promise<void> {
  const name = positionals.length === 0 ? 'all' : wanted.join('-');
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    node: process.version,
    services: bench.services,
  };
  const result = { at: new Date().toISOString(), rounds: bench.rounds, machine, figures, leftOut };
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  await writeFile(join(values.out, `${name}.svg`), chart(figures));
}

function judge(): void {
  const missing = [
    ...figures.filter(missed).map(({ what, against }) => `${what} against ${against}`),
    ...leftOut,
  ];
  for (const what of missing) console.error(`missed: ${what}`);
  if (missing.length > 0) process.exitCode = 1;
}
