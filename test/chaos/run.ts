import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { untilSignal } from '../../src/lib/until-signal.ts';
import { runCampaign } from './campaign.ts';
import { loadReport, markdownOf, publishReport, type Report, saveReport } from './report.ts';
import { distributedTrials, storm, trialsWith } from './trials.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    /** Per trial. */
    documents: { type: 'string', default: '24' },
    workers: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '1' },
    /** Only trials whose name contains this, or one of these. */
    only: { type: 'string', multiple: true, default: [''] },
    /** Continues where the last run with this seed stopped. */
    resume: { type: 'boolean', default: false },
    /** Writes the table into the documentation. */
    write: { type: 'boolean', default: false },
  },
});
const onProgress = (line: string) => console.error(line);
const seed = Number(values.seed);
const [documents, workers, rounds] = [values.documents, values.workers, values.rounds].map(Number);
console.log(`seed ${seed} (repeat this run with --seed ${seed})`);
const report: Report = {
  seed,
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, Node ${process.versions.node}, ${workers} workers`,
  rows: (values.resume && (await loadReport(seed))?.rows) || [],
};
const trials = {
  ...trialsWith(documents ?? 0),
  'all of it, in any order': storm({
    documents: 120,
    poison: 3,
    rounds: rounds ?? 0,
    pauseMs: 2000,
    onProgress,
  }),
  ...distributedTrials(documents ?? 0),
};
await runCampaign({
  seed,
  workers: workers ?? 0,
  maxAttempts: 5,
  redisEngine: 'auto',
  trials: Object.fromEntries(
    Object.entries(trials).filter(
      ([name]) =>
        values.only.some((part) => name.includes(part)) &&
        !report.rows.some(({ fault }) => fault === name),
    ),
  ),
  interrupted: untilSignal('SIGINT', 'SIGTERM'),
  onProgress,
  async onRow(row) {
    report.rows.push(row);
    onProgress(
      `  recovered after ${row.recoveredMs?.toFixed()} ms, ${row.lost} lost, ${row.doubled} doubled`,
    );
    await saveReport(report);
  },
}).finally(() => {
  console.log(markdownOf(report));
  for (const { fault, wrong } of report.rows)
    for (const line of wrong) console.log(`WRONG (${fault}): ${line}`);
  process.exitCode = report.rows.some(
    ({ lost, doubled, wrong }) => lost + doubled + wrong.length > 0,
  )
    ? 1
    : 0;
});
if (values.write) await publishReport(report);
// Node 20 may not exit on its own after connections were reset, which the proxies do.
process.exit();
