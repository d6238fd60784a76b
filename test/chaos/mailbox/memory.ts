import { readdir, readFile } from 'node:fs/promises';

interface Process {
  pid: number;
  parent: number;
  rssMb: number;
  command: string;
}

/** The memory of the largest of all descendants of a process. Linux only. */
export async function largestDescendant(root: number): Promise<Process | undefined> {
  const found = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(describe),
  );
  const processes = found.filter((each) => each !== undefined);
  const family = new Set([root]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  family.delete(root);
  return processes
    .filter(({ pid }) => family.has(pid))
    .toSorted((a, b) => b.rssMb - a.rssMb)
    .at(0);
}

async function describe(name: string): Promise<Process | undefined> {
  try {
    const status = await readFile(`/proc/${name}/status`, 'utf8');
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8');
    const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    return {
      pid: Number(name),
      parent: field('PPid'),
      rssMb: (field('VmRSS') || 0) / 1024,
      command: command.split('\0').slice(-3).join(' ').trim(),
    };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
