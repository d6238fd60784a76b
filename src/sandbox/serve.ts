import { setImmediate } from 'node:timers/promises';
import { exitCodes } from './exit-codes.ts';
import { guardProcess } from './guard-process.ts';
import { type Reply, request } from './messages.ts';
import type { OperationTable } from './operation.ts';
import { runOperation } from './run-operation.ts';

/** Main loop of a pool child: handles one request after the other. */
export function serve(operations: OperationTable): void {
  guardProcess();
  process.on('message', async (message) => {
    const given = request.parse(message);
    send({ kind: 'begun' });
    const outcome = await runOperation(operations, given, () => send({ kind: 'loaded' }));
    // An unhandled rejection surfaces in this turn and ends the process before it gets the next
    // job.
    await setImmediate();
    send(outcome);
  });
  send({ kind: 'ready' });
}

/** A failed send means that the parent is gone. */
function send(message: Reply): void {
  process.send?.(message, (error: Error | null) => {
    if (error) process.exit(exitCodes.parentGone);
  });
}
