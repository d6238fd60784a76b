import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second in which Linux counts CPU time. */
const TICKS = 100;

interface Usage {
  parent: number;
  seconds: number;
}

/** CPU seconds of this process and its descendants, including those that have ended. Linux only. */
export async function cpuSeconds(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = await Promise.all(pids.map(async (pid) => [pid, await usageOf(pid)] as const));
  const usages = new Map(read.flatMap(([pid, usage]) => (usage ? [[pid, usage] as const] : [])));
  const isOurs = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const parent = usages.get(pid)?.parent;
    return parent !== undefined && isOurs(parent);
  };
  return [...usages].reduce((sum, [pid, { seconds }]) => sum + (isOurs(pid) ? seconds : 0), 0);
}

/** Undefined if the process no longer exists. */
async function usageOf(pid: number): Promise<Usage | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The process name is in brackets and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS };
}
