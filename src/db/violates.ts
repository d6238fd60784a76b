import pg from 'pg';

/** Whether a statement failed because it would have broken this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  // Drizzle wraps what the driver threw.
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.constraint === constraint;
}
