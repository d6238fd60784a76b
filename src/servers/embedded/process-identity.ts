import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

/**
 * Pids are reused, so a pid alone does not identify a process; `pid` with `started` does. `started`
 * is opaque and differs for every later process with the same pid, even after a reboot.
 */
const identitySchema = z.object({ pid: z.int(), started: z.string() });
export type ProcessIdentity = Readonly<z.infer<typeof identitySchema>>;

/** The process that has this pid now; undefined if there is none. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const started =
    process.platform === 'linux' ? await startedByProc(pid) : await askPs(pid, 'lstart=');
  return started ? { pid, started } : undefined;
}

export async function isRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(pid))?.started === started;
}

/**
 * Parses an identity read from a file; undefined for anything else, such as a partly written file.
 */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The arguments a process was started with, separated by spaces; undefined when it is gone. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  return (await readText(`/proc/${pid}/cmdline`))?.replaceAll('\0', ' ');
}

const startTimeField = 19;

async function startedByProc(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readText(`/proc/${pid}/stat`),
    readText('/proc/sys/kernel/random/boot_id'),
  ]);
  // The command name before the last ')' may itself contain spaces and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields?.[0], fields?.[startTimeField]];
  return state === 'Z' || !ticks ? undefined : `${boot?.trim()} ${ticks}`;
}

async function askPs(pid: number, column: string): Promise<string | undefined> {
  const asked = promisify(execFile)('ps', ['-o', column, '-p', String(pid)]);
  return asked.then(({ stdout }) => stdout.trim() || undefined).catch(() => undefined);
}

const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(() => undefined);
