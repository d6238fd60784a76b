/** The error as one line, including its innermost cause, which is usually the useful part. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined;
  const own = error.message.split('\n')[0] || error.name;
  return cause && !own.includes(cause) ? `${own}: ${cause}` : own;
}
