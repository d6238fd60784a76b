import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Db } from '../db/index.ts';
import { putSchema, type StoredSchema } from '../db/schemas.ts';
import type { SchemaDefinition } from '../domain/schema/definition.ts';
import { schemaDefinition, schemaName } from '../domain/schema/index.ts';
import { SetupError, UsageError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';

export interface SchemaFile {
  /** The file name without extension is the type: `policy.json` defines `policy`. */
  name: string;
  definition: SchemaDefinition;
}

/** Reads a schema file. The error lists every problem with its location. */
export async function readSchemaFile(path: string): Promise<SchemaFile> {
  const name = basename(path, '.json');
  const content = await parsed(path);
  const [named, defined] = [schemaName.safeParse(name), schemaDefinition.safeParse(content)];
  const faults = [
    ...(named.error?.issues ?? []).map(({ message }) => `the name "${name}" ${message}`),
    ...(defined.error?.issues ?? []).map(({ path: at, message }) =>
      [at.join('.'), message].filter(Boolean).join(': '),
    ),
  ];
  if (!named.success || !defined.success)
    throw new UsageError(
      faults.map((fault) => `${path}: ${fault}`).join('\n'),
      'See docs/schemas.md for an example.',
    );
  return { name, definition: defined.data };
}

/** Activates all schemas of a directory for a workspace, or none if any of them is invalid. */
export async function putSchemaFiles(
  db: Db,
  workspaceId: string,
  directory: string,
): Promise<StoredSchema[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new SetupError(
      `The schemas cannot be read: ${describeError(error)}`,
      'Set MILLRACE_SCHEMAS to a directory.',
    );
  });
  const paths = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(directory, name));
  const read = await Promise.allSettled(paths.map(readSchemaFile));
  const faults = read.flatMap((file) =>
    file.status === 'rejected' ? [messageOf(file.reason)] : [],
  );
  if (faults.length > 0)
    throw new SetupError(faults.join('\n'), 'See docs/schemas.md for an example.');
  const files = read.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []));
  return db.transaction(async (tx) => {
    const put: StoredSchema[] = [];
    for (const { name, definition } of files) {
      const { schema, changed } = await putSchema(tx, workspaceId, name, definition);
      if (changed) put.push(schema);
    }
    return put;
  });
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${describeError(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
