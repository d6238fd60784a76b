/** A line for people, beside the payload on stdout. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
