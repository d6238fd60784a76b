import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodes } from './exit.ts';
import { note } from './note.ts';

/**
 * Does what a pod's supervisor does: runs this same command in a child and, when that ends with code 0 because its life
 * is over, in another. What ends otherwise is not tried again: a mistake would only be repeated.
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
    note('another worker takes its place');
    child = start();
  }
}

/** In a group of its own, or Ctrl+C would reach it twice; the channel tells it when we are gone, however we went. */
function start(): ChildProcess {
  const args = [...process.execArgv, ...process.argv.slice(1), '--no-respawn'];
  const child = spawn(process.execPath, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  child.channel?.unref();
  return child;
}
