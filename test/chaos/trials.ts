import { setTimeout as sleep } from 'node:timers/promises';
import { keys } from '../../src/lib/keys.ts';
import { SECOND } from '../../src/lib/time.ts';
import type { StageName } from '../../src/workers/pipeline.ts';
import { distributedFaults, isAvailable } from './distributed.ts';
import {
  makeArchive,
  makeHarmful,
  makeInvoice,
  makeLongInvoice,
  makeScan,
  type Sample,
} from './documents.ts';
import { type FaultName, faults } from './faults.ts';
import { clocks } from './fleet.ts';
import { type Random, shuffled } from './random.ts';
import type { Rig } from './rig.ts';
import { stages, stepsOf } from './steps.ts';
import { type VendorFaults, vendorFaults } from './vendor-faults.ts';
import type { Trial } from './wave.ts';

/** Mostly invoices that need no repair; every sixth document is a scan that does. */
async function mixture(rig: Rig, count: number, name = 'plain'): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let i = 0; i < count; i++)
    samples.push(await (i % 6 === 5 ? scan(rig, name) : invoice(rig, name)));
  return samples;
}

const invoice = (rig: Rig, name: string) => makeInvoice(name, rig.nextNumber());
const scan = (rig: Rig, name: string) => makeScan(name, rig.nextNumber(), rig.vendors);
const archive = (rig: Rig, name: string) => makeArchive(name, [rig.nextNumber(), rig.nextNumber()]);

/** Documents for stages that an ordinary invoice does not pass. */
const makersOf: Partial<Record<StageName, typeof invoice>> = { preprocess: scan, unpack: archive };

/** Every fault on its own, in the order of the campaign. */
export function trialsWith(documents: number): Record<string, Trial> {
  const samples = (rig: Rig) => mixture(rig, documents);
  const single = keys(faults).map((name) => [
    name,
    { samples, inject: faults[name], ...settings[name] },
  ]);
  const vendors = Object.entries(vendorFaults).map(([name, of]) => [
    name,
    vendorsFail(of, samples),
  ]);
  const steps = stages.map((stage) => [`killed at each step of ${stage}`, killedAtEachStep(stage)]);
  return {
    [clocks.length > 1 ? 'clocks of two workers 10 min off' : 'none']: {
      samples,
      inject: nothing,
      faults: clocks.length - 1,
    },
    ...Object.fromEntries([...single, ...vendors, ...steps]),
    ...(process.getuid?.() === 0 && { 'disk full for 5 s': { samples, inject: diskFull } }),
    '3 of 120 documents kill whoever takes them': {
      samples: withPoison,
      inject: nothing,
      faults: 3,
    },
  };
}

/** Faults of servers that not every machine has, each on a rig of its own. */
export function distributedTrials(documents: number): Record<string, Trial> {
  const samples = (rig: Rig) => mixture(rig, documents);
  const broken: Record<string, Trial> = Object.fromEntries(
    Object.entries(distributedFaults)
      .filter(([, kind]) => isAvailable[kind])
      .map(([name, kind]) => [
        name,
        {
          samples,
          servers: kind,
          inject: ({ distributed }) => distributed.strike(),
          injected: async ({ distributed }) => distributed.strikes(),
        },
      ]),
  );
  const harmful: Trial = {
    samples: (rig) => amongHarmful(rig, documents),
    servers: 'local',
    inject: nothing,
    faults: harmfulEach * makeHarmful(0).length,
  };
  return { ...broken, 'poison XML, texts and PDFs among innocents': harmful };
}

const harmfulEach = 2;

/** The harmful ones come first, so that all others are behind them. */
async function amongHarmful(rig: Rig, documents: number): Promise<Sample[]> {
  const harmful = Array.from({ length: harmfulEach }, () => makeHarmful(rig.nextNumber())).flat();
  const innocents = Array.from({ length: harmfulEach }, () => makeLongInvoice(rig.nextNumber()));
  for (let i = innocents.length; i < documents; i++) innocents.push(await invoice(rig, 'plain'));
  return [...harmful, ...innocents];
}

/** The trials that can be repeated. The others work only once per rig. */
export function endless(documents: number): Record<string, Trial> {
  return Object.fromEntries(
    Object.entries(trialsWith(documents)).filter(
      ([name]) => name in faults || name in vendorFaults,
    ),
  );
}

/** Additional settings of some trials. */
const settings: Partial<Record<FaultName, Partial<Trial>>> = {
  'Redis replaced by a copy 3 s old': { injected: async ({ redis }) => redis.promotions() },
};

/** For trials in which the documents themselves cause the fault. */
const nothing = async () => undefined;

function vendorsFail(of: () => VendorFaults, samples: Trial['samples']): Trial {
  const { reading = [], extracting = [] } = of();
  return {
    samples,
    inject: async ({ vendors }) => vendors.fail(of()),
    faults: reading.length + extracting.length,
    injected: async ({ vendors }) => vendors.refused(),
  };
}

/** One document per step, which kills one process there, and a few others that run next to it. */
function killedAtEachStep(stage: StageName): Trial {
  const steps = stepsOf(stage);
  return {
    async samples(rig) {
      const make = makersOf[stage] ?? invoice;
      const marked: Sample[] = [];
      for (const step of steps) marked.push(await make(rig, step));
      return [...marked, ...(await mixture(rig, 6))];
    },
    inject: nothing,
    faults: steps.length,
    injected: async (rig) => (await rig.stepsHit()).filter((step) => steps.includes(step)).length,
  };
}

async function diskFull({ disk }: Rig): Promise<void> {
  await disk?.fill();
  await sleep(5 * SECOND);
  await disk?.empty();
}

async function withPoison(rig: Rig): Promise<Sample[]> {
  const samples = await mixture(rig, 117);
  for (const place of [10, 50, 90]) samples.splice(place, 0, await invoice(rig, 'poison'));
  return samples;
}

export interface Storm {
  documents: number;
  poison: number;
  rounds: number;
  pauseMs: number;
  only?: readonly FaultName[] | undefined;
  onProgress: (line: string) => void;
}

/** All faults in an order given by the seed, while any step may kill its process. */
export function storm({ documents, poison, rounds, pauseMs, only, onProgress }: Storm): Trial {
  const names = only ?? keys(faults);
  return {
    faults: rounds * names.length,
    async samples(rig) {
      const samples = await mixture(rig, documents - poison, 'storm');
      for (let i = 0; i < poison; i++) samples.push(await invoice(rig, 'poison'));
      return samples;
    },
    async inject(rig: Rig, random: Random) {
      const plan = Array.from({ length: rounds }, () => names).flat();
      for (const name of shuffled(plan, random)) {
        onProgress(`  ${name}`);
        await faults[name](rig, random).catch(() => undefined);
        await sleep(pauseMs);
      }
    },
  };
}
