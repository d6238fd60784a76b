import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RedisClient } from '../../lib/redis-client.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { known, ProviderSnapshot } from './provider-snapshot.ts';
import { admitScript, recallScript, settleScript, strange } from './scripts.ts';
import type { GovernorStore, Limits } from './store.ts';

export interface RedisStoreOptions {
  prefix?: string;
  /** Defaults to the clock of Redis, which all workers share. */
  now?: () => number;
  /** Upper bound for the delay that the governor adds to a call. */
  timeoutMs?: number;
}

/**
 * Counts the calls of all workers. If Redis lost its data, each worker restores what it remembers
 * before its next request. Throws if Redis is unavailable.
 */
export function openRedisStore(redis: RedisClient, options: RedisStoreOptions = {}): GovernorStore {
  const { prefix = 'millrace', now = () => '', timeoutMs = 1_000 } = options;
  const own = randomUUID();
  const snapshots = new Map<string, ProviderSnapshot>();

  function snapshotOf(provider: string): ProviderSnapshot {
    const snapshot = snapshots.get(provider) ?? new ProviderSnapshot();
    snapshots.set(provider, snapshot);
    return snapshot;
  }

  async function run(
    script: string,
    provider: string,
    { requestsPerMinute, failures, coolDownMs }: Limits,
    ...args: (string | number)[]
  ): Promise<unknown> {
    // A disconnected client would queue the command and block the caller.
    if (redis.status !== 'ready')
      throw new Error(`Redis is not connected (status: ${redis.status}).`);
    const key = `{${prefix}:governor:${provider}}`;
    const limits = [requestsPerMinute, failures, Math.ceil(coolDownMs)];
    const asked = redis.eval(script, 2, `${key}:state`, `${key}:calls`, now(), ...limits, ...args);
    const answer = await withTimeout(timeoutMs, asked);
    if (answer === 'late') throw new Error(`Redis did not answer within ${timeoutMs} ms.`);
    return answer;
  }

  async function ask(
    script: string,
    provider: string,
    limits: Limits,
    ...args: (string | number)[]
  ): Promise<unknown> {
    const snapshot = snapshotOf(provider);
    const answer = await run(script, provider, limits, snapshot.incarnation, ...args);
    if (answer !== strange) return answer;
    snapshot.incarnation = String(
      await run(recallScript, provider, limits, own, ...snapshot.serialize()),
    );
    return run(script, provider, limits, snapshot.incarnation, ...args);
  }

  return {
    async admit(provider, limits) {
      const [admitted, probe, waitMs, reason, state] = verdict.parse(
        await ask(admitScript, provider, limits),
      );
      snapshotOf(provider).note(state, admitted === 1);
      return reason === ''
        ? { admitted: true, probe: probe === 1 }
        : { admitted: false, waitMs, reason };
    },
    async settle(provider, limits, ending) {
      const pauseMs = ending.kind === 'busy' ? Math.ceil(ending.pauseMs) : 0;
      const state = await ask(
        settleScript,
        provider,
        limits,
        ending.kind,
        ending.probe ? 1 : 0,
        pauseMs,
      );
      snapshotOf(provider).note(known.parse(state));
    },
  };
}

const verdict = z.tuple([
  z.int(),
  z.int(),
  z.int(),
  z.enum(['paused', 'broken', 'budget', '']),
  known,
]);
