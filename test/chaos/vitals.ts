import { readdir, readFile } from 'node:fs/promises';
import type { Rig } from './rig.ts';

/** Values that grow if something leaks. */
export interface Vitals {
  /** Of the largest process, without its children. */
  memoryMb: number;
  files: number;
  postgresConnections: number;
  redisConnections: number;
}

/** Measures the fleet and its services. Linux only. */
export async function vitalsOf({ fleet, database, client }: Rig): Promise<Vitals> {
  const pids = [...fleet.all('worker'), ...fleet.all('scheduler')].flatMap(({ pid }) => pid ?? []);
  const status = (pid: number) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const memory = await Promise.all(
    pids.map(async (pid) => Number(/VmRSS:\s+(\d+)/.exec(await status(pid))?.[1] ?? 0)),
  );
  const files = await Promise.all(
    pids.map(async (pid) => (await readdir(`/proc/${pid}/fd`).catch(() => [])).length),
  );
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name = 'millrace'",
  );
  const clients = /connected_clients:(\d+)/.exec(await client.info('clients'))?.[1];
  return {
    memoryMb: Math.max(...memory) / 1024,
    files: Math.max(...files),
    postgresConnections: rows[0]?.count ?? 0,
    redisConnections: Number(clients),
  };
}
