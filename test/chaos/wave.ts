import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { checkInvariants } from '../../src/engine/invariants.ts';
import { openIntake } from '../../src/intake/intake.ts';
import { upload } from '../../src/intake/upload.ts';
import { HOUR, MINUTE, monotonicNow, SECOND } from '../../src/lib/time.ts';
import type { Servers } from './distributed.ts';
import type { Sample } from './documents.ts';
import type { Fault } from './faults.ts';
import type { Random } from './random.ts';
import type { Rig } from './rig.ts';
import { until } from './until.ts';
import { databaseTime, hasProgress, isRecovered, openDocuments, openTasks } from './watch.ts';

export interface Trial {
  /** Documents to admit before the fault. */
  samples: (rig: Rig) => Promise<Sample[]>;
  inject: Fault;
  /** What the fleet must run on. Default: one Postgres and one Redis. */
  servers?: Servers;
  /** How many faults it injects. Default: 1. */
  faults?: number;
  /** Counts the faults injected so far, for trials where injection is not certain. */
  injected?: (rig: Rig) => Promise<number>;
}

/** The result of one trial. */
export interface Row {
  fault: string;
  injected: number;
  documents: number;
  /** Unfinished tasks when the fault was injected. */
  underWay: number;
  /** How long the fault itself lasted. */
  lastedMs: number;
  /** From the end of the fault until one of these tasks progressed. */
  firstProgressMs: number | undefined;
  /** From the end of the fault until each of them had progressed or was announced again. */
  recoveredMs: number | undefined;
  endedMs: number | undefined;
  /** Processes that died and were replaced. */
  deaths: number;
  surplusCalls: number;
  completed: number;
  failed: number;
  /** Failed, and not made to do harm. */
  innocentsFailed: number;
  lost: number;
  doubled: number;
  /** Descriptions of unexpected results. */
  wrong: string[];
}

const patienceMs = 5 * MINUTE;

/** Admits documents, injects a fault while they are in progress, waits for the end, and counts. */
export async function rideOut(rig: Rig, fault: string, trial: Trial, random: Random): Promise<Row> {
  const { fleet, vendors } = rig;
  const before = {
    deaths: fleet.deaths,
    surplus: vendors.surplusCalls(),
    doubled: vendors.doubled(),
  };
  const injectedBefore = (await trial.injected?.(rig)) ?? 0;
  const admitted = await admitAll(rig, await trial.samples(rig));
  const ids = [...admitted.keys()];
  const begun = monotonicNow();
  await until(() => isUnderWay(rig), 30 * SECOND);
  const tasks = await openTasks(rig, ids);
  const injectedAt = monotonicNow();
  await trial.inject(rig, random).catch(() => undefined);
  const lastedMs = monotonicNow() - injectedAt;
  const since = await untilAnswered(() => databaseTime(rig));
  const [firstProgressMs, recoveredMs] = await Promise.all([
    until(() => hasProgress(rig, tasks, since), patienceMs),
    until(() => isRecovered(rig, tasks, since), patienceMs),
  ]);
  const quiet = await until(async () => (await openDocuments(rig, ids)) === 0, patienceMs);
  const { completed, failed, innocentsFailed, lost, wrong } = await judge(rig, admitted);
  const { faults: planned = 1 } = trial;
  const injected = trial.injected ? (await trial.injected(rig)) - injectedBefore : planned;
  if (injected !== planned) wrong.push(`${injected} of ${planned} faults happened`);
  return {
    fault,
    injected,
    documents: ids.length,
    underWay: tasks.length,
    lastedMs,
    firstProgressMs: tasks.length > 0 ? firstProgressMs : undefined,
    recoveredMs,
    endedMs: quiet === undefined ? undefined : monotonicNow() - begun,
    deaths: fleet.deaths - before.deaths,
    surplusCalls: vendors.surplusCalls() - before.surplus,
    completed,
    failed,
    innocentsFailed,
    lost,
    doubled: vendors.doubled() - before.doubled,
    wrong,
  };
}

/** Returns the samples by document id. */
async function admitAll(rig: Rig, samples: Sample[]): Promise<Map<string, Sample>> {
  const { database, storage, queues, workspaceId } = rig;
  const { announce } = queues;
  const intake = openIntake(database.db, {
    first: 'claim',
    giveUpMs: HOUR,
    maxBytes: 1e8,
    announce,
  });
  const admitted = new Map<string, Sample>();
  for (const sample of samples) {
    const body = Readable.from([sample.bytes]);
    const { documentId } = await upload({ storage }, intake, {
      workspaceId,
      name: sample.name,
      body,
    });
    admitted.set(documentId, sample);
  }
  return admitted;
}

async function isUnderWay({ database }: Rig): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "select from tasks where state = 'running' and stage <> 'claim' limit 1",
  );
  return rowCount === 1;
}

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  await until(async () => {
    answer = await ask();
    return true;
  }, patienceMs);
  if (answer === undefined) throw new Error('The database did not come back');
  return answer;
}

async function judge({ database, vendors }: Rig, admitted: Map<string, Sample>) {
  const { rows } = await database.pool.query<{ id: string; status: string; reason: string | null }>(
    `select i.document_id as id, i.status, d.stage || ' ' || d.code || ': ' || d.message as reason
       from ingestions i left join dead_letters d on d.ingestion_id = i.id and d.state = 'open'
      where i.document_id = any($1)`,
    [[...admitted.keys()]],
  );
  const endings = new Map(rows.map((row) => [row.id, row]));
  const wrong: string[] = [];
  let lost = 0;
  let innocentsFailed = 0;
  for (const [id, { name, bytes, inside = [bytes], isHarmful }] of admitted) {
    const { status, reason } = endings.get(id) ?? { status: 'unknown', reason: null };
    const expected = name.startsWith('poison') ? 'failed' : 'completed';
    const held = inside.every((each) =>
      vendors.holds(createHash('sha256').update(each).digest('hex')),
    );
    if (!['completed', 'failed'].includes(status) || (status === 'completed' && !held)) lost += 1;
    if (isHarmful) continue;
    if (status === 'failed' && expected === 'completed') innocentsFailed += 1;
    if (status !== expected) wrong.push(`${name} is ${status}${reason ? ` (${reason})` : ''}`);
    else if (held !== (status === 'completed'))
      wrong.push(`${name} is ${status} and ${held ? '' : 'not '}delivered`);
  }
  const violations = await checkInvariants(database.pool);
  wrong.push(...violations.map(({ claim, examples }) => `${claim}: ${examples.join(', ')}`));
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  return {
    completed: count('completed'),
    failed: count('failed'),
    innocentsFailed,
    lost,
    wrong,
  };
}
