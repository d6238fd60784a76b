import { Router } from 'express';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { MonitorContext } from '../context.ts';

const checkTimeoutMs = 3 * SECOND;

type Health = { ok: true } | { ok: false; reason: string };

/** `/livez`: the process makes progress. `/readyz`: all its dependencies respond. */
export const health = ({ checks, stallChecks }: MonitorContext): Router => {
  const router = Router();

  router.get('/livez', async (_, res) => {
    const reasons = (await Promise.all(stallChecks.map((check) => check()))).filter(
      (reason) => reason !== undefined,
    );
    const alive = reasons.length === 0;
    res
      .status(alive ? 200 : 503)
      .json({ status: alive ? 'alive' : 'standing still', ...(!alive && { reasons }) });
  });

  router.get('/readyz', async (_, res) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    const ready = results.every(([, { ok }]) => ok);
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) });
  });

  return router;
};

async function runCheck(check: () => Promise<void>): Promise<Health> {
  try {
    const result = await withTimeout(checkTimeoutMs, check());
    return result === 'late'
      ? { ok: false, reason: `No response within ${checkTimeoutMs / SECOND} s` }
      : { ok: true };
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  }
}
