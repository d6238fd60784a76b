import { readFile } from 'node:fs/promises';
import { HOUR } from '../lib/time.ts';

/**
 * CPU time that a job may use. Unlike a time limit, it does not depend on how busy the machine is,
 * so it can be short.
 */
export interface CpuLimits {
  /** Until the operation has loaded its input; most operations do nothing else. */
  loadMs: number;
  /** From then on. */
  workMs: number;
}

/** A process that has used so much is replaced. The kernel kills it at a multiple of this. */
export const mostCpuMs = 1 * HOUR;

const pollMs = 200;
/** Kernels report CPU time in ticks of 10 ms to user space. */
const msPerTick = 10;

/**
 * Calls back once when a process has used this much CPU time from now on. Returns a function that
 * stops watching.
 */
export function watchCpu(
  pid: number | undefined,
  limitMs: number | undefined,
  onExceeded: (limitMs: number) => void,
): () => void {
  if (pid === undefined || limitMs === undefined) return () => undefined;
  let isWatching = true;
  let startMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const usedMs = await cpuMsOf(pid);
    if (!isWatching || usedMs === undefined) return;
    startMs ??= usedMs;
    if (usedMs - startMs > limitMs) onExceeded(limitMs);
    else timer = setTimeout(look, pollMs).unref();
  };
  void look();
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}

/** User and system time of all threads; undefined where there is no /proc. */
export async function cpuMsOf(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name in brackets may contain spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
