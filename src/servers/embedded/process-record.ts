import { readFile, rm, writeFile } from 'node:fs/promises';
import { identifyProcess, parseIdentity } from './process-identity.ts';
import { stopProcess } from './stop-process.ts';

/** Records a process that we started, so that the next start finds it if we are killed. */
export async function recordProcess(path: string, pid: number): Promise<void> {
  const identity = await identifyProcess(pid);
  if (identity) await writeFile(path, JSON.stringify(identity), { mode: 0o600 });
}

/**
 * Stops the process recorded at `path` if it still runs, but never another one with the same pid.
 */
export async function stopRecordedProcess(path: string, signal: NodeJS.Signals): Promise<void> {
  const record = parseIdentity(await readFile(path, 'utf8').catch(() => ''));
  if (record) await stopProcess(record, signal);
  await rm(path, { force: true });
}
