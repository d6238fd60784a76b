import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkInvariants, type Violation } from '../../src/engine/invariants.ts';
import { openIntake } from '../../src/intake/intake.ts';
import { upload } from '../../src/intake/upload.ts';
import { keys } from '../../src/lib/keys.ts';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { type FaultName, faults } from './faults.ts';
import { openRig, type Rig } from './rig.ts';

export interface CampaignOptions {
  seed: number;
  documents: number;
  /** Documents that kill whoever works on them. */
  poison: number;
  workers: number;
  /** How often each fault is injected. */
  rounds: number;
  pauseMs: number;
  maxAttempts: number;
  vendorFaults: number;
  only?: FaultName[];
  redisEngine: 'auto' | 'native' | 'wasm';
  onProgress?: (line: string) => void;
}

export interface CampaignResult {
  injected: Partial<Record<FaultName, number>>;
  /** Processes that died and were replaced: by faults, by failpoints, by poison. */
  deaths: number;
  statuses: Record<string, number>;
  /** Documents that ended in another way than they should. */
  wrong: string[];
  violations: Violation[];
  /** Calls to the vendor; those repeated were answered before a crash or a fault lost the answer. */
  calls: { made: number; repeated: number };
  seconds: number;
}

const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Where libfaketime is installed, some workers live ten minutes ahead of their time, and some behind. */
const clocks: NodeJS.ProcessEnv[] = existsSync(fakeTime)
  ? [{}, { LD_PRELOAD: fakeTime, FAKETIME: '+10m' }, { LD_PRELOAD: fakeTime, FAKETIME: '-10m' }]
  : [{}];

/** Takes documents through a system that is being broken, waits until it is quiet, and counts. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, workers, redisEngine, maxAttempts, vendorFaults, onProgress = () => undefined } = options;
  const random = mulberry32(seed);
  // Every step boundary of every stage may kill its process; poison always does, as soon as it is taken.
  const rig = await openRig({
    redisEngine,
    failpoints: '*.*/plain*=kill=0.004,transcribe.taken/poison*=kill',
    random,
    maxAttempts,
    vendorFaults,
  });
  const startedAt = Date.now();
  try {
    for (let i = 0; i < workers; i++) rig.fleet.start(['worker'], clocks[i % clocks.length]);
    for (let i = 0; i < 2; i++) rig.fleet.start(['scheduler']);
    const expected = await admitAll(rig, options);
    const injected = await breakThings(rig, random, options);
    onProgress('quiet now: waiting for the last document');
    await untilQuiet(rig, onProgress);
    return {
      injected,
      deaths: rig.fleet.deaths,
      calls: rig.calls(),
      ...(await judge(rig, expected)),
      seconds: Math.round((Date.now() - startedAt) / SECOND),
    };
  } finally {
    await rig.close();
  }
}

async function admitAll(
  rig: Rig,
  { documents, poison }: CampaignOptions,
): Promise<Map<string, 'completed' | 'failed'>> {
  const expected = new Map<string, 'completed' | 'failed'>();
  const { announce } = rig.queues;
  const intake = openIntake(rig.resources.database.db, { first: 'claim', giveUpMs: HOUR, maxBytes: 1e6, announce });
  for (let i = 0; i < documents; i++) {
    const isPoison = i % Math.ceil(documents / Math.max(1, poison)) === 0 && poison > 0;
    const body = Readable.from([Buffer.from(`Invoice ${i}\nDate: 2026-03-01\nTotal: ${i}.00 EUR\n`)]);
    const name = `${isPoison ? 'poison' : 'plain'}-${i}.txt`;
    const { documentId } = await upload(rig.resources, intake, { workspaceId: rig.workspaceId, name, body });
    expected.set(documentId, isPoison ? 'failed' : 'completed');
  }
  return expected;
}

async function breakThings(rig: Rig, random: () => number, options: CampaignOptions) {
  const injected: Partial<Record<FaultName, number>> = {};
  const plan = Array.from({ length: options.rounds }, () => options.only ?? keys(faults)).flat();
  for (const name of shuffled(plan, random)) {
    options.onProgress?.(`fault: ${name}`);
    await faults[name](rig, random).catch(() => undefined);
    injected[name] = (injected[name] ?? 0) + 1;
    await sleep(options.pauseMs);
  }
  return injected;
}

async function untilQuiet(rig: Rig, onProgress: (line: string) => void): Promise<void> {
  const deadline = Date.now() + 600 * SECOND;
  for (;;) {
    const open = await openDocuments(rig).catch(() => Number.NaN);
    if (open === 0) return;
    if (Date.now() > deadline) throw new Error(`${open} documents have not ended after ten quiet minutes`);
    onProgress(`${open} documents to go`);
    await sleep(2 * SECOND);
  }
}

async function openDocuments({ resources }: Rig): Promise<number> {
  const { rows } = await resources.database.pool.query<{ open: number }>(
    "select count(*)::int as open from ingestions where status = 'in-progress'",
  );
  return rows[0]?.open ?? 0;
}

async function judge({ resources: { database } }: Rig, expected: Map<string, string>) {
  const { rows } = await database.pool.query<{ id: string; status: string }>(
    'select document_id as id, status from ingestions',
  );
  const statuses: Record<string, number> = {};
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
  const ended = new Map(rows.map(({ id, status }) => [id, status]));
  const wrong = [...expected]
    .filter(([id, status]) => ended.get(id) !== status)
    .map(([id]) => `${id}: ${ended.get(id) ?? 'lost'}`);
  return { statuses, wrong, violations: await checkInvariants(database.pool) };
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** A small generator with a seed: the same seed, the same order of faults. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
