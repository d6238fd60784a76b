import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodes } from './exit.ts';
import { note } from './note.ts';

/**
 * Acts as a supervisor: runs this command in a child process and starts a new one when the child
 * exits with code 0 because it reached its lifetime. Any other exit ends this process too, since a
 * restart would only repeat the error.
 */
export async function respawning(): Promise<void> {
  let child = start();
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true;
      child.kill(signal);
    });
  }
  for (;;) {
    const [code]: (number | null)[] = await once(child, 'exit');
    if (isStopping || code !== 0) {
      process.exitCode = code ?? exitCodes.internal;
      return;
    }
    note('The worker has reached its lifetime. Starting a new one.');
    child = start();
  }
}

/**
 * The child gets its own process group, or Ctrl+C would reach it twice. The IPC channel closes when
 * this process ends for any reason, and the child then stops.
 */
function start(): ChildProcess {
  const args = [...process.execArgv, ...process.argv.slice(1), '--no-respawn'];
  const child = spawn(process.execPath, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  child.channel?.unref();
  return child;
}
