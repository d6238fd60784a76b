import type { Db } from '../db/index.ts';
import { listTypes } from '../db/schemas.ts';
import { automatic } from '../domain/schema/index.ts';
import { UnknownTypeError } from '../errors.ts';

/** Throws if the workspace does not have this document type. */
export async function assertType(
  db: Db,
  workspaceId: string,
  type: string | undefined,
): Promise<void> {
  if (type === undefined || type === automatic) return;
  const names = (await listTypes(db, workspaceId)).map(({ name }) => name);
  if (!names.includes(type))
    throw new UnknownTypeError(
      `There is no document type "${type}".`,
      `Choose from ${names.join(', ')}, or ${automatic} for automatic detection.`,
    );
}
