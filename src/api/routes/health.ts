import { Router } from 'express';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { MonitorContext } from '../context.ts';

const checkTimeoutMs = 3 * SECOND;
/** What is optional must not make a probe wait until it fails. */
const optionalTimeoutMs = 0.5 * SECOND;

type Health = { ok: true } | { ok: false; reason: string };

/** `/livez`: the process makes progress. `/readyz`: what it depends on responds. */
export const health = ({ checks, optionalChecks = {}, stallChecks }: MonitorContext): Router => {
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
    const [needed, optional] = await Promise.all([
      runChecks(checks, checkTimeoutMs),
      runChecks(optionalChecks, optionalTimeoutMs),
    ]);
    const missing = Object.keys(optional).filter((name) => !optional[name]?.ok);
    const isReady = Object.values(needed).every(({ ok }) => ok);
    const status = !isReady ? 'not ready' : missing.length > 0 ? 'degraded' : 'ready';
    res.status(isReady ? 200 : 503).json({
      status,
      ...(missing.length > 0 && { missing }),
      checks: { ...needed, ...optional },
    });
  });

  return router;
};

async function runChecks(
  checks: MonitorContext['checks'],
  timeoutMs: number,
): Promise<Record<string, Health>> {
  const results = Object.entries(checks).map(
    async ([name, check]) => [name, await runCheck(check, timeoutMs)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
}

async function runCheck(check: () => Promise<void>, timeoutMs: number): Promise<Health> {
  try {
    const result = await withTimeout(timeoutMs, check());
    return result === 'late'
      ? { ok: false, reason: `No response within ${timeoutMs / SECOND} s` }
      : { ok: true };
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  }
}
