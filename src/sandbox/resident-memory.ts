import { readFile } from 'node:fs/promises';

/** Memory of a process in MB; 0 where there is no /proc, or no such process. */
export async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
