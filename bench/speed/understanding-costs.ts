import { knownTypes } from '../../src/domain/known-types.ts';
import { schemas } from '../../src/domain/schemas/index.ts';
import type { Transcription } from '../../src/domain/transcription.ts';
import { recognise } from '../../src/understanding/document-type.ts';
import { judge } from '../../src/understanding/gate/index.ts';
import { extractByRules } from '../../src/understanding/rules/index.ts';
import {
  printedInvoice,
  prose,
  transcribedText,
  transcribedXml,
  ublInvoice,
} from '../../test/kit/long-documents.ts';
import type { Bench } from './bench.ts';
import { compare, type Figure, summarize } from './figure.ts';

const steps = ['recognition', 'rules', 'gate'] as const;
type Costs = Record<(typeof steps)[number], number>;

const invoices: Record<string, (lines: number) => Transcription> = {
  'printed invoice': printedInvoice,
  'UBL invoice': (lines) => transcribedXml(ublInvoice(lines)),
};

/** CPU time over the length of the document. */
export async function understandingCosts(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, make] of Object.entries(invoices)) {
    const lengths = [1000, 2000, 4000].map((lines) => bench.size(lines, lines / 50));
    const costs = lengths.map((lines) => costsOf(bench, () => make(lines)));
    figures.push(...lengths.slice(1).flatMap((lines, i) => doubling(name, lines, costs, i)));
  }
  return [...figures, ...dismissal(bench)];
}

/** The cost of a document, compared with that of one half as long. */
function doubling(name: string, lines: number, costs: readonly Costs[][], half: number): Figure[] {
  const samples = (of: number, step: keyof Costs) => (costs[of] ?? []).map((cost) => cost[step]);
  return steps.map((step) =>
    compare(
      {
        what: `${step} of a ${name}, ${lines} lines, CPU`,
        unit: 'ms',
        against: 'half as many lines',
        target: { atMost: 2.2 },
      },
      samples(half + 1, step),
      samples(half, step),
    ),
  );
}

/** A long text that is no invoice. */
function dismissal(bench: Bench): Figure[] {
  const characters = bench.size(10_000_000, 100_000);
  const costs = costsOf(bench, () => transcribedText(prose(characters)));
  return [
    ...steps.map((step) => ({
      what: `${step} of prose, ${characters / 1_000_000} MB, CPU`,
      unit: 'ms',
      ours: summarize(costs.map((cost) => cost[step])),
    })),
    {
      what: `prose of ${characters / 1_000_000} MB dismissed, CPU`,
      unit: 'ms',
      ours: summarize(costs.map((cost) => steps.reduce((sum, step) => sum + cost[step], 0))),
      target: { atMost: 2000 },
    },
  ];
}

const runsPerRound = 3;

/** For each round the least of several runs: compiling and other work only add to the cost. */
function costsOf({ rounds }: Bench, make: () => Transcription): Costs[] {
  return Array.from({ length: rounds }, () => {
    const runs = Array.from({ length: runsPerRound }, () => costOf(make()));
    const least = (step: keyof Costs) => Math.min(...runs.map((run) => run[step]));
    return { recognition: least('recognition'), rules: least('rules'), gate: least('gate') };
  });
}

function costOf(transcription: Transcription): Costs {
  const [schema, recognition] = timed(
    () => recognise(transcription, knownTypes()) ?? schemas.generic,
  );
  const [extraction, rules] = timed(() => extractByRules(transcription, schema));
  const [, gate] = timed(() => judge(extraction, transcription, schema));
  return { recognition, rules, gate };
}

/** The result of a function, and the CPU milliseconds it took. */
function timed<T>(run: () => T): [result: T, ms: number] {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1000];
}
