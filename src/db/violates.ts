import pg from 'pg';

/** Whether a statement violated this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  // Drizzle wraps errors of the driver.
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.constraint === constraint;
}
