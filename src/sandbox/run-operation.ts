import { exitCodes } from './exit-codes.ts';
import { type Outcome, type Request, toFault } from './messages.ts';
import type { OperationTable } from './operation.ts';

/**
 * Runs a requested operation. A child that is out of memory exits, since its state is unreliable.
 */
export async function runOperation(
  operations: OperationTable,
  { operation: name, input }: Request,
  onLoaded: () => void = () => undefined,
): Promise<Outcome> {
  try {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) throw new Error(`Unknown operation ${name}`);
    return { kind: 'done', output: await operation(input as never, onLoaded) };
  } catch (error) {
    if (isOutOfMemory(error)) {
      process.stderr.write(`${error}\n`);
      process.exit(exitCodes.outOfMemory);
    }
    return { kind: 'failed', fault: toFault(error) };
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof Error &&
    // PDFium aborts when it gets no more memory, and answers no call after that.
    /allocation failed|out of memory|bad_alloc|unable to malloc|^Aborted\(/i.test(error.message)
  );
}
