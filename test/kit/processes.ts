import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const GIVE_UP_MS = 20_000;

/** Waits until a process has ended. A zombie counts as ended. */
export async function untilGone(pid: number): Promise<void> {
  for (const end = Date.now() + GIVE_UP_MS; await isRunning(pid); await setTimeout(20)) {
    if (Date.now() > end) throw new Error(`Process ${pid} is still there`);
  }
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat !== undefined) return !/\) Z /.test(stat);
  try {
    return process.platform !== 'linux' && process.kill(pid, 0);
  } catch {
    return false;
  }
}
