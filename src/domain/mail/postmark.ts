const dated = /^From (?:\S+ +)?.*\b[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{1,2}:\d{2}(?::\d{2})?\b.*\b\d{4}\b/;
const addressed = /^From \S+@\S+\s*$/;

/** The line before each message of an mbox: who sent it, and as a rule when. */
export function isPostmark(line: string): boolean {
  return dated.test(line) || addressed.test(line);
}
