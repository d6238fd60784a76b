import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort, loopback } from '../../src/servers/embedded/free-port.ts';

const program = fileURLToPath(new URL('../../bin/millrace.js', import.meta.url));

/** The built command line, as used in production. */
export function startMillrace(args: string[], env: Record<string, string>): ChildProcess {
  return startNode([program, ...args], { LOG_LEVEL: 'error', ...env });
}

export function startNode(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts a server on a free port and waits until it responds. */
export async function startListening(
  start: (port: string) => ChildProcess,
  ready: string,
): Promise<{ child: ChildProcess; url: string }> {
  const port = String(await freePort());
  const url = `http://${loopback}:${port}`;
  const child = start(port);
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`A server of the benchmark ended with ${child.exitCode}`);
    const answer = await fetch(url + ready).catch(() => undefined);
    if (answer?.ok) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The peak memory of a process, in MB. */
export async function peakMemoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
