import yauzl from 'yauzl';
import type { Omission } from '../container.ts';

/** Names are only shown, but one that leads out of its archive is the sign of an attack. */
export function unsafeName(name: string): Omission | undefined {
  const problem =
    yauzl.validateFileName(name) ??
    (name.includes('\0') ? 'it contains a NUL character' : undefined);
  return problem ? { kind: 'exception', reason: `Unsafe file name: ${problem}` } : undefined;
}
