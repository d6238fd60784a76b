import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';

/** Engines by name, in the order in which they are tried. */
type SecondEngines = Readonly<Record<string, () => AsyncIterable<UnpackedEntry>>>;

/**
 * Entries of a container that the first engine could not open, as the next engine that finds
 * something gives them. Its name is reported with the first entry. If none does, the failure of the
 * first engine stands.
 */
export async function* answerSecond(
  { skip, onSecondEngine }: UnpackInput,
  engines: SecondEngines,
  failure: unknown,
): AsyncGenerator<UnpackedEntry> {
  for (const [engine, open] of Object.entries(engines)) {
    let found = false;
    try {
      for await (const entry of open()) {
        if (!found) onSecondEngine?.(engine, describeError(failure));
        found = true;
        yield entry;
      }
      // An earlier attempt may have taken all of them.
      if (found || skip > 0) return;
    } catch (error) {
      const isLocked = error instanceof PermanentError && error.code === 'PASSWORD_PROTECTED';
      if (found || isLocked || !(error instanceof PermanentError)) throw error;
    }
  }
  throw failure;
}
