import { readFile } from 'node:fs/promises';

/** CPU seconds of this process, its threads, and programs that it has run. Linux only. */
export async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = await used();
  await work();
  return Math.max((await used()) - before, 1 / ticksPerSecond);
}

const ticksPerSecond = 100;

/** Own user and system time, and that of children that have ended (proc(5)). */
async function used(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const stat = await readFile('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const children = Number(fields[13]) + Number(fields[14]);
  return (user + system) / 1e6 + children / ticksPerSecond;
}
