import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.ts';

const patienceMs = 20_000;
const pollMs = 20;

/**
 * Signals a process that is not our child, waits for its exit, and kills it if it does not stop.
 */
export async function stopProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
): Promise<void> {
  for (const attempt of [signal, 'SIGKILL'] as const) {
    if (!(await send(identity, attempt))) return;
    if (await goneWithin(identity, patienceMs)) return;
  }
  throw new Error(`Process ${identity.pid} did not exit`);
}

async function send(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isRunning(identity))) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch (error) {
    if (await isRunning(identity)) throw error;
    return false;
  }
}

async function goneWithin(identity: ProcessIdentity, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(pollMs)) {
    if (!(await isRunning(identity))) return true;
  }
  return false;
}
