import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { keys } from '../../src/lib/keys.ts';
import { median } from '../../src/lib/quantile.ts';
import { MINUTE, monotonicNow, SECOND } from '../../src/lib/time.ts';
import { untilSignal } from '../../src/lib/until-signal.ts';
import { mulberry32, pick } from './random.ts';
import { openRig } from './rig.ts';
import { endless } from './trials.ts';
import { type Vitals, vitalsOf } from './vitals.ts';
import { type Row, rideOut } from './wave.ts';

/**
 * `npm run chaos:soak [-- --minutes 1440] [--seed 42]`: injects faults chosen by the seed into one
 * running system for the given time.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1440' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    /** Admitted before each fault. */
    documents: { type: 'string', default: '24' },
    workers: { type: 'string', default: '3' },
    /** Seconds between faults, at least. */
    every: { type: 'string', default: '60' },
  },
});

const random = mulberry32(Number(values.seed));
const trials = endless(Number(values.documents));
const until = monotonicNow() + Number(values.minutes) * MINUTE;
const rows: Row[] = [];
const vitals: Vitals[] = [];
console.log(`seed ${values.seed} (repeat this run with --seed ${values.seed})`);
const rig = await openRig({ redisEngine: 'auto', workers: Number(values.workers), maxAttempts: 5 });
const end = untilSignal('SIGINT', 'SIGTERM').then(() =>
  Promise.reject(new Error('The soak test was interrupted')),
);
try {
  while (monotonicNow() < until) {
    const next = monotonicNow() + Number(values.every) * SECOND;
    const fault = pick(keys(trials), random) ?? '';
    const trial = trials[fault];
    if (!trial) throw new Error('There are no trials');
    const row = await Promise.race([rideOut(rig, fault, trial, random), end]);
    rows.push(row);
    vitals.push(await vitalsOf(rig));
    console.log(
      `${rows.length} ${fault}: ${row.completed} of ${row.documents} completed, ${row.wrong.join('; ') || 'no problems'}`,
    );
    await Promise.race([sleep(Math.max(0, Math.min(next, until) - monotonicNow())), end]);
  }
} finally {
  await rig.close();
}

const sum = (value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0);
const [faults, documents] = [sum(({ injected }) => injected), sum((row) => row.documents)];
const [lost, doubled, wrong] = [
  sum((row) => row.lost),
  sum((row) => row.doubled),
  sum((row) => row.wrong.length),
];
console.log(
  `\n${faults} faults, ${documents} documents, ${lost} lost, ${doubled} doubled, ${wrong} wrong`,
);
// The first rounds are left out: processes are still warming up.
const settled = vitals.slice(Math.floor(vitals.length / 6));
const half = Math.floor(settled.length / 2);
console.log('medians of the first and the second half:');
for (const name of ['memoryMb', 'files', 'postgresConnections', 'redisConnections'] as const) {
  const middle = (of: Vitals[]) => median(of.map((each) => each[name])).toFixed();
  console.log(`${name}: ${middle(settled.slice(0, half))}, ${middle(settled.slice(half))}`);
}
// Node 20 may not exit on its own after connections were reset, which the proxies do.
process.exit(lost + doubled + wrong > 0 ? 1 : 0);
