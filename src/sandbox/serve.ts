import { setImmediate } from 'node:timers/promises';
import { exitCodes } from './exit-codes.ts';
import { guardProcess } from './guard-process.ts';
import { type Reply, request } from './messages.ts';
import type { OperationTable } from './operation.ts';
import { runOperation } from './run-operation.ts';

/** The life of a child of the pool: one request after the other. */
export function serve(operations: OperationTable): void {
  guardProcess();
  process.on('message', async (message) => {
    const given = request.parse(message);
    send({ kind: 'begun' });
    const outcome = await runOperation(operations, given);
    // A rejection nobody handles surfaces in this turn and ends the process before the next job is sent to it.
    await setImmediate();
    send(outcome);
  });
  send({ kind: 'ready' });
}

/** The pool kills on its own terms; a failed send means that the parent is gone. */
function send(message: Reply): void {
  process.send?.(message, (error: Error | null) => {
    if (error) process.exit(exitCodes.parentGone);
  });
}
