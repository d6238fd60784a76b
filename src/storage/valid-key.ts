import { UsageError } from '../errors.ts';

const name = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;
const LONGEST = 900;

/** Keys become paths and URLs, so traversal and ambiguous spellings are refused. */
export function checkKey(key: string): void {
  if (key.length <= LONGEST && key.split('/').every((part) => name.test(part))) return;
  throw new UsageError(
    `${JSON.stringify(key.slice(0, 100))} is not a valid storage key`,
    'Use names of letters, digits, dot, underscore and dash, joined by single slashes.',
  );
}

/** A prefix may be empty, end with a slash, or end in the middle of a name. */
export function checkPrefix(prefix: string): void {
  checkKey(`${prefix}x`);
}
