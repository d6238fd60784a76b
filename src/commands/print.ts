import { plain } from './table.ts';

/** One thing on stdout: all of it for programs, or a line for people. */
export function print(json: boolean | undefined, value: unknown, line: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : plain(line)}\n`);
}
