import { Router } from 'express';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { MonitorContext } from '../context.ts';

const patienceMs = 3 * SECOND;

type Health = { ok: true } | { ok: false; reason: string };

/** `/livez`: the process gets on with its work. `/readyz`: everything that it needs answers. */
export const health = ({ checks, stallChecks }: MonitorContext): Router => {
  const router = Router();

  router.get('/livez', async (_, res) => {
    const reasons = (await Promise.all(stallChecks.map((find) => find()))).filter(
      (reason) => reason !== undefined,
    );
    const alive = reasons.length === 0;
    res
      .status(alive ? 200 : 503)
      .json({ status: alive ? 'alive' : 'standing still', ...(!alive && { reasons }) });
  });

  router.get('/readyz', async (_, res) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await healthOf(check)] as const),
    );
    const ready = results.every(([, { ok }]) => ok);
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) });
  });

  return router;
};

async function healthOf(check: () => Promise<void>): Promise<Health> {
  try {
    const result = await withTimeout(patienceMs, check());
    return result === 'late'
      ? { ok: false, reason: `No answer within ${patienceMs / SECOND} s` }
      : { ok: true };
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  }
}
