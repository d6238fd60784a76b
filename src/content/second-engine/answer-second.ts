import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';

interface SecondAnswer {
  engine: string;
  entries: AsyncIterable<UnpackedEntry>;
  /** Why the first engine did not answer. It stands if the second one finds nothing either. */
  failure: unknown;
}

/** Entries of a container as a second engine finds them. The engine is reported with the first. */
export async function* answerSecond(
  { skip, onSecondEngine }: UnpackInput,
  { engine, entries, failure }: SecondAnswer,
): AsyncGenerator<UnpackedEntry> {
  let found = false;
  try {
    for await (const entry of entries) {
      if (!found) onSecondEngine?.(engine, describeError(failure));
      found = true;
      yield entry;
    }
  } catch (error) {
    const isLocked = error instanceof PermanentError && error.code === 'PASSWORD_PROTECTED';
    throw found || isLocked ? error : failure;
  }
  if (!found && skip === 0) throw failure;
}
