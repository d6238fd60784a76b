/** Prints a line for people to stderr; stdout is for results only. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
