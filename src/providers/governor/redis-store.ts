import type { Cluster, Redis } from 'ioredis';
import { z } from 'zod';
import { admitScript, settleScript } from './scripts.ts';
import type { GovernorStore, Limits } from './store.ts';

export interface RedisStoreOptions {
  prefix?: string;
  /** The clock of Redis when absent, which all workers share. */
  now?: () => number;
  /** A governor must not be what a call waits for. */
  timeoutMs?: number;
}

/** Knows what all workers did. Throws when Redis cannot be asked right now. */
export function openRedisStore(redis: Redis | Cluster, options: RedisStoreOptions = {}): GovernorStore {
  const { prefix = 'millrace', now = () => '', timeoutMs = 1_000 } = options;

  async function run(script: string, provider: string, ...args: (string | number)[]): Promise<unknown> {
    // A client that is not connected would queue the command and keep us waiting.
    if (redis.status !== 'ready') throw new Error(`Redis is not there: ${redis.status}.`);
    const key = `{${prefix}:governor:${provider}}`;
    return within(timeoutMs, redis.eval(script, 2, `${key}:state`, `${key}:calls`, now(), ...args));
  }

  return {
    async admit(provider, limits) {
      const [admitted, probe, waitMs, reason] = verdict.parse(await run(admitScript, provider, ...numbers(limits)));
      if (admitted) return { admitted: true, probe: probe === 1 };
      return { admitted: false, waitMs, reason: reason || 'budget' };
    },
    async settle(provider, limits, ending) {
      const pauseMs = ending.kind === 'busy' ? ending.pauseMs : 0;
      await run(settleScript, provider, ...numbers(limits), ending.kind, ending.probe ? 1 : 0, Math.ceil(pauseMs));
    },
  };
}

const verdict = z.tuple([z.int(), z.int(), z.int(), z.enum(['paused', 'broken', 'budget', ''])]);

function numbers({ requestsPerMinute, failures, coolDownMs }: Limits): number[] {
  return [requestsPerMinute, failures, Math.ceil(coolDownMs)];
}

async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
