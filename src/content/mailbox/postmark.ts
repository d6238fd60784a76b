const dated =
  /^From .*\b[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{1,2}:\d{2}(?::\d{2})?\b.*\b\d{4}\b/;
const addressed = /^From \S+@\S+\s*$/;
const longest = 512;

/** Recognises the `From ` line before each message of an mbox: sender and usually a date. */
export function isPostmark(line: string): boolean {
  return line.length <= longest && (dated.test(line) || addressed.test(line));
}
