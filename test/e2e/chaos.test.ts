import { expect, test } from 'vitest';
import { runCampaign } from '../chaos/campaign.ts';

test('a system that is being broken loses nothing and doubles nothing', { timeout: 300_000 }, async () => {
  const { statuses, wrong, violations, deaths } = await runCampaign({
    seed: 1,
    documents: 30,
    poison: 1,
    workers: 1,
    rounds: 1,
    pauseMs: 300,
    only: ['worker killed', 'Redis flushed', 'Postgres connections cut', 'hints doubled', 'hints forged'],
    redisEngine: 'auto',
  });
  expect({ statuses, wrong, violations }).toEqual({
    statuses: { completed: 29, failed: 1 },
    wrong: [],
    violations: [],
  });
  expect(deaths).toBeGreaterThanOrEqual(1);
});
