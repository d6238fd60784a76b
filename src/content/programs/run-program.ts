import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '../../lib/find-program.ts';
import { Tail } from '../../lib/tail.ts';
import { monotonicNow } from '../../lib/time.ts';

export interface ProgramOptions {
  /** Its working directory, home and folder of temporary files. */
  directory: string;
  timeoutMs: number;
  /** Limit for all files in `directory` together. */
  maxBytes: number;
}

export interface ProgramEnd {
  code: number | null;
  /** The end of its stdout and stderr. */
  output: string;
  /** Why it was killed, if it was. */
  stopped: string | undefined;
}

const maxOutput = 4096;
/** Measuring may take a tenth of the time. */
const measuring = { everyMs: 250, share: 0.1 };

/**
 * Runs a program on untrusted files in a process group of its own. It is killed with its parent, at
 * its deadline, and when it writes too much. The limit for memory is that of the sandbox process
 * that starts it: limits are inherited.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { directory, timeoutMs, maxBytes }: ProgramOptions,
): Promise<ProgramEnd> {
  const env = { PATH: process.env.PATH, HOME: directory, TMPDIR: directory, LANG: 'C.UTF-8' };
  const [command = program, ...rest] = [...killedWithParent(), program, ...args];
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, rest, { cwd: directory, env, stdio, detached: true });
  const tail = new Tail(maxOutput, child.stdout, child.stderr);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const over = new AbortController();
  let stopped: string | undefined;
  const watch = async () => {
    stopped = await untilTooMuch(directory, { timeoutMs, maxBytes }, over.signal);
    if (stopped !== undefined) killGroup(child.pid);
  };
  const watching = watch();
  try {
    const [code] = await exited;
    // Processes that it has left behind keep its pipes open.
    killGroup(child.pid);
    await closed;
    return { code, output: tail.toString(), stopped };
  } finally {
    over.abort();
    await watching;
  }
}

function killedWithParent(): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : [];
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/** Returns the reason to stop, or undefined when the program has ended by itself. */
async function untilTooMuch(
  directory: string,
  { timeoutMs, maxBytes }: Pick<ProgramOptions, 'timeoutMs' | 'maxBytes'>,
  over: AbortSignal,
): Promise<string | undefined> {
  const begun = monotonicNow();
  let waitMs = measuring.everyMs;
  while (!over.aborted) {
    await delay(waitMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return undefined;
    const before = monotonicNow();
    if (before - begun > timeoutMs) return `it did not finish within ${timeoutMs / 1000} s`;
    if ((await sizeOf(directory)) > maxBytes) return `it wrote more than ${maxBytes} bytes`;
    waitMs = Math.max(measuring.everyMs, (monotonicNow() - before) / measuring.share);
  }
  return undefined;
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    // It may have been removed meanwhile.
    else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
