import { plain } from './table.ts';

/** Prints one item to stdout: as JSON, or as a line for people. */
export function print(json: boolean | undefined, value: unknown, line: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : plain(line)}\n`);
}
