import { expect, test } from 'vitest';
import { runCampaign } from '../chaos/campaign.ts';
import { storm } from '../chaos/trials.ts';

test('a system that is being broken loses nothing and doubles nothing', {
  timeout: 300_000,
}, async () => {
  const [row] = await runCampaign({
    seed: 1,
    workers: 1,
    maxAttempts: 2,
    redisEngine: 'auto',
    trials: {
      storm: storm({
        documents: 30,
        poison: 1,
        rounds: 1,
        pauseMs: 300,
        only: [
          'worker killed',
          'Redis flushed',
          'Postgres connections cut',
          'jobs doubled',
          'jobs forged',
        ],
        onProgress: () => undefined,
      }),
    },
  });
  expect(row).toMatchObject({ completed: 29, failed: 1, lost: 0, doubled: 0, wrong: [] });
  expect(row?.deaths).toBeGreaterThanOrEqual(1);
});
