import type { Redis } from 'ioredis';
import { SetupError } from '../../errors.ts';
import { examineAnyOf } from './any-of.ts';
import { connectToSentinel, type Endpoint } from './connect.ts';
import { parseInfo } from './examine.ts';
import { nameNodes, untilReady } from './until-ready.ts';

/** Refuses addresses of which none is a Sentinel that watches the master. */
export async function examineSentinels(endpoint: Endpoint): Promise<void> {
  const { address } = endpoint;
  if (address.kind !== 'sentinel') return;
  await examineAnyOf(
    address.nodes,
    (node) => connectToSentinel(node, endpoint),
    async (sentinel, node) => {
      await untilReady(sentinel, endpoint, node);
      await askForMaster(sentinel, nameNodes([node]), address.master);
    },
  );
}

async function askForMaster(sentinel: Redis, where: string, master: string): Promise<void> {
  const mode = parseInfo(await sentinel.info('server')).get('redis_mode');
  if (mode !== 'sentinel')
    throw new SetupError(
      `${where} is a Redis server (mode ${mode}), not a Sentinel.`,
      'List the Sentinels in REDIS_URL, usually on port 26379, or use redis:// for the server itself.',
    );
  const found = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master);
  if (found !== null) return;
  const known = await sentinel.call('SENTINEL', 'MASTERS');
  throw new SetupError(
    `The Sentinel at ${where} watches no master named "${master}".`,
    `Correct the name at the end of REDIS_URL. It watches: ${listNames(known) || 'none'}.`,
  );
}

/** Each master is a flat list of names and values. */
function listNames(masters: unknown): string {
  if (!Array.isArray(masters)) return '';
  return masters
    .map((fields: unknown) =>
      Array.isArray(fields) ? String(fields[fields.indexOf('name') + 1]) : '',
    )
    .join(', ');
}
