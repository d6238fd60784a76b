/** What went wrong, as one line; the innermost cause is what people need to read. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined;
  const own = error.message.split('\n')[0] || error.name;
  return cause && !own.includes(cause) ? `${own}: ${cause}` : own;
}
