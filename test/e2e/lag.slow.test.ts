import { expect, onTestFinished, test } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { openTestEngine } from '../kit/engine.ts';
import { runForLag } from '../kit/lag-run.ts';
import { pathologicalFiles } from '../kit/pathological.ts';
import { serverEnvironment } from '../kit/server-environment.ts';

/**
 * Far above what is measured (see docs/performance.md) and far below what such files once cost, so
 * that a busy machine does not fail the test.
 */
const longestLagSeconds = 2;

test('no document blocks a process', { timeout: 600_000 }, async () => {
  const engine = await openTestEngine(pipeline);
  onTestFinished(() => engine.close());
  const key = newKeyText();
  const { lag, statuses } = await runForLag(pathologicalFiles(), {
    env: serverEnvironment(engine, { key, port: 0 }),
    key,
    timeoutMs: 550_000,
  });
  expect(statuses.filter((status) => status === 'in-progress')).toEqual([]);
  for (const seconds of Object.values(lag)) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(longestLagSeconds);
  }
});
