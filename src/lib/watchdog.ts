import { Worker } from 'node:worker_threads';

const thread = `
  const { workerData } = require('node:worker_threads');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData);`;

/** Kills this process after `ms` unless cancelled, even when the event loop is blocked. */
export function watchdog(ms: number): () => Promise<void> {
  const worker = new Worker(thread, { eval: true, workerData: ms });
  worker.unref();
  return async () => {
    await worker.terminate();
  };
}
