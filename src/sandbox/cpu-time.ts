import { readFile } from 'node:fs/promises';

const pollMs = 200;
/** Kernels report CPU time in ticks of 10 ms to user space. */
const msPerTick = 10;

/**
 * Calls back once when a process has used this much CPU time from now on. Returns a function that
 * stops watching.
 */
export function watchCpu(pid: number, limitMs: number, onExceeded: () => void): () => void {
  let isWatching = true;
  let startMs: number | undefined;
  const look = async () => {
    const usedMs = await cpuMsOf(pid);
    if (!isWatching || usedMs === undefined) return;
    startMs ??= usedMs;
    if (usedMs - startMs > limitMs) {
      isWatching = false;
      onExceeded();
    } else timer = setTimeout(look, pollMs).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  void look();
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}

/** User and system time of all threads; undefined where there is no /proc. */
async function cpuMsOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name in brackets may contain spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
