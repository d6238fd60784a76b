import pg from 'pg';

/** Whether a statement violated this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return findDatabaseError(error)?.constraint === constraint;
}

/** Whether a value has no representation in Postgres (SQLSTATE class 22, data exception). */
export function isUnstorable(error: unknown): boolean {
  return findDatabaseError(error)?.code?.startsWith('22') ?? false;
}

/** Whether a trigger refused to delete what a legal hold protects. */
export function isHeld(error: unknown): boolean {
  return findDatabaseError(error)?.code === 'LH001';
}

/** Drizzle wraps errors of the driver. */
function findDatabaseError(error: unknown): pg.DatabaseError | undefined {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause : undefined;
}
