import type { Redis } from 'ioredis';
import { SetupError } from '../../errors.ts';
import type { Endpoint } from './connect.ts';

/**
 * The commands of BullMQ's scripts, the governor and the login limits, by the number of arguments
 * after the key.
 */
export const keyedCommands = [
  'DEL EXISTS GET HGETALL HLEN INCR LLEN LPOP PTTL RPOP SCARD SMEMBERS TYPE UNLINK XLEN ZCARD ZPOPMIN',
  'BZPOPMIN HDEL HEXISTS HGET HMGET INCRBY LINDEX LPOS LPUSH PEXPIRE PEXPIREAT RENAME RPOPLPUSH RPUSH SADD SET SISMEMBER SREM XDEL ZREM ZSCORE',
  'HINCRBY HMSET HSET HSETNX LRANGE LREM LSET LTRIM XRANGE XTRIM ZADD ZCOUNT ZLEXCOUNT ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE',
  'XADD',
].map((names) => names.split(' '));

/** The keys of Millrace. They start like this; the braces choose the slot in a cluster. */
export const keyPatterns = (prefix: string) => [`${prefix}:*`, `{${prefix}-*`, `{${prefix}:*`];

/**
 * Asks whether the user may run every command on every key. Between MULTI and DISCARD the server
 * checks permissions and runs nothing. `server` must be used by nobody else meanwhile.
 */
export async function checkPermissions(server: Redis, endpoint: Endpoint): Promise<void> {
  const { address, prefix } = endpoint;
  const begun = await ask(server, ['MULTI']);
  const missing = begun ? ['+multi', '+exec', '+discard'] : await listMissing(server, endpoint);
  if (missing.length === 0) return;
  const user = address.username ?? 'default';
  throw new SetupError(
    `The Redis user "${user}" lacks permissions (NOPERM): ${missing.join(' ')}`,
    `Run on every server: ACL SETUSER ${user} ${missing.join(' ')} (keys are named by MILLRACE_REDIS_PREFIX, ${prefix}).`,
  );
}

async function listMissing(server: Redis, { address, prefix }: Endpoint): Promise<string[]> {
  const key = `{${prefix}-permissions}:none`;
  const commands = [
    ...keyedCommands.flatMap((names, count) =>
      names.map((name) => [name, key, ...Array<string>(count).fill(key)]),
    ),
    ['EVAL', 'return 1', '1', key],
    ['EVALSHA', 'none', '1', key],
    ['XREAD', 'STREAMS', key, '0'],
    ['PING'],
    ['INFO'],
    ['TIME'],
    ['CLIENT', 'LIST'],
    ...(address.kind === 'cluster'
      ? [
          ['CLUSTER', 'SLOTS'],
          ['CLUSTER', 'INFO'],
        ]
      : []),
  ];
  const answers = await Promise.all(commands.map((command) => ask(server, command)));
  const patterns = keyPatterns(prefix);
  const reachable = await Promise.all(
    patterns.map((pattern) => ask(server, ['SET', pattern.replace('*', 'permissions'), 'none'])),
  );
  await ask(server, ['DISCARD']);
  return [
    ...commands.flatMap((command, i) => (isForbidden(answers[i]) ? [grantOf(command)] : [])),
    // If SET itself is refused, nothing is known about the keys: granting them twice does no harm.
    ...patterns.flatMap((pattern, i) => (reachable[i] ? [`~${pattern}`] : [])),
  ];
}

/** Resolves to the refusal, if the user lacks a permission. Other errors do not matter here. */
async function ask(server: Redis, [name = '', ...args]: string[]): Promise<string | undefined> {
  try {
    await server.call(name, ...args);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return error.message;
    if (error instanceof Error && error.name !== 'ReplyError') throw error;
  }
  return undefined;
}

/** Whether the command itself is refused, not one of its keys. */
function isForbidden(refusal: string | undefined): boolean {
  return refusal !== undefined && /\bcommand\b/.test(refusal) && !/\bkey/.test(refusal);
}

function grantOf([name = '', second = '']: string[]): string {
  const isContainer = name === 'CLIENT' || name === 'CLUSTER';
  return `+${(isContainer ? `${name}|${second}` : name).toLowerCase()}`;
}
