import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { exitCodes } from './exit-codes.ts';
import { guardProcess } from './guard-process.ts';
import { type Reply, toFault } from './messages.ts';
import type { Operations } from './operation.ts';

const request = z.object({ operation: z.string(), input: z.unknown() });

/** The life of a child: takes one request after the other, and rather dies than goes on in doubt. */
export function serve(operations: Operations): void {
  guardProcess();
  process.on('message', async (message) => {
    const { operation, input } = request.parse(message);
    send({ kind: 'begun' });
    const answer = await perform(operations, operation, input);
    // A rejection nobody handles surfaces in this turn and ends the process before the next job is sent to it.
    await setImmediate();
    send(answer);
  });
  send({ kind: 'ready' });
}

async function perform(operations: Operations, name: string, input: unknown): Promise<Reply> {
  try {
    const operation = operations[name];
    if (!operation) throw new Error(`There is no operation ${name}`);
    return { kind: 'done', output: await operation(input as never) };
  } catch (error) {
    if (isOutOfMemory(error)) {
      process.stderr.write(`${error}\n`);
      process.exit(exitCodes.outOfMemory);
    }
    return { kind: 'failed', fault: toFault(error) };
  }
}

/** The pool kills on its own terms; a failed send means that the parent is gone. */
function send(message: Reply): void {
  process.send?.(message, (error: Error | null) => {
    if (error) process.exit(exitCodes.parentGone);
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /allocation failed|out of memory|bad_alloc|unable to malloc/i.test(error.message);
}
