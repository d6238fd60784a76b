import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.ts';

const patienceMs = 20_000;
const pollMs = 20;

/** Asks a process that is not our child to end, waits until it is gone, and kills it when it does not listen. */
export async function stopProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
): Promise<void> {
  for (const attempt of [signal, 'SIGKILL'] as const) {
    if (!(await send(identity, attempt))) return;
    if (await goneWithin(identity, patienceMs)) return;
  }
  throw new Error(`process ${identity.pid} did not end`);
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
