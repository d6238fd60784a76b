import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    documents: { type: 'string', default: '300' },
    poison: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '3' },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed} (run it again with --seed ${seed})`);
const result = await runCampaign({
  seed,
  documents: Number(values.documents),
  poison: Number(values.poison),
  rounds: Number(values.rounds),
  workers: Number(values.workers),
  pauseMs: 2000,
  maxAttempts: 5,
  vendorFaults: 0.1,
  redisEngine: 'auto',
  onProgress: (line) => console.error(line),
});
console.table(Object.entries(result.injected).map(([fault, injected]) => ({ fault, injected })));
console.log(`processes that died and were replaced: ${result.deaths}`);
console.log(`documents: ${JSON.stringify(result.statuses)} in ${result.seconds} s`);
console.log(`vendor calls: ${result.calls.made}, of them repeated after a fault: ${result.calls.repeated}`);
console.log(`ended wrongly or lost: ${result.wrong.length}${result.wrong.map((line) => `\n  ${line}`).join('')}`);
console.log(`invariants broken: ${result.violations.length}`);
for (const { invariant, count, examples } of result.violations)
  console.log(`  ${invariant}: ${count}, e.g. ${examples.join(', ')}`);
process.exitCode = result.wrong.length + result.violations.length > 0 ? 1 : 0;
