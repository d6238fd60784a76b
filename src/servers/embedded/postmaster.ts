import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, identifyProcess } from './process-identity.ts';
import { stopProcess } from './stop-process.ts';

/** The content of `postmaster.pid`, which pg_ctl reads too. */
interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * Stops a server that outlived its killed parent. If the pid now belongs to another process, the
 * file is removed: Postgres would take that process for a running server and refuse to start.
 */
export async function stopLeftoverPostmaster(cluster: string): Promise<void> {
  const leftover = await readPostmaster(cluster);
  if (!leftover) return;
  const [identity, command] = await Promise.all([
    identifyProcess(leftover.pid),
    commandLine(leftover.pid),
  ]);
  if (identity && command?.includes('postgres') && command.includes(cluster))
    await stopProcess(identity, 'SIGINT');
  else await rm(join(cluster, 'postmaster.pid'), { force: true });
}
