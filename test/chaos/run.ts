import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { untilSignal } from '../../src/lib/until-signal.ts';
import { runCampaign } from './campaign.ts';
import { markdownOf, publishReport, saveReport } from './report.ts';
import { storm, trialsWith } from './trials.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    /** Of each trial. */
    documents: { type: 'string', default: '24' },
    workers: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '1' },
    /** Only trials whose name holds this. */
    only: { type: 'string' },
    /** Puts the table into the documentation. */
    write: { type: 'boolean', default: false },
  },
});
const onProgress = (line: string) => console.error(line);
const seed = Number(values.seed);
console.log(`seed ${seed} (run it again with --seed ${seed})`);
const all = {
  ...trialsWith(Number(values.documents)),
  'all of it, in any order': storm({
    documents: 200,
    poison: 5,
    rounds: Number(values.rounds),
    pauseMs: 2000,
    onProgress,
  }),
};
const rows = await runCampaign({
  seed,
  workers: Number(values.workers),
  maxAttempts: 5,
  redisEngine: 'auto',
  trials: Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(values.only ?? ''))),
  interrupted: untilSignal('SIGINT', 'SIGTERM'),
  onProgress,
  onRow: ({ wrong, lost, doubled, recoveredMs }) =>
    onProgress(`  recovered after ${recoveredMs?.toFixed()} ms, ${lost} lost, ${doubled} doubled ${wrong.join('; ')}`),
});
const report = {
  seed,
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, Node ${process.versions.node}`,
  rows,
};
console.log(markdownOf(report));
for (const { fault, wrong } of rows) for (const line of wrong) console.log(`WRONG (${fault}): ${line}`);
await saveReport(report);
if (values.write) await publishReport(report);
process.exitCode = rows.some(({ lost, doubled, wrong }) => lost + doubled + wrong.length > 0) ? 1 : 0;
