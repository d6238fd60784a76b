/** The error itself or the first of its causes that is of this type. */
export function findCause<E extends Error>(
  error: unknown,
  type: new (...args: never[]) => E,
): E | undefined {
  if (error instanceof type) return error;
  return error instanceof Error ? findCause(error.cause, type) : undefined;
}
