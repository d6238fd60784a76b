import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';

/** A password from a file, because every user of the machine can see command lines. */
export function firstLine(path: string): string {
  const [line = ''] = readFileSync(path === '-' ? 0 : path, 'utf8').split(/\r?\n/);
  if (!line) throw new UsageError(`--password-file: there is no password in ${path}`);
  return line;
}
