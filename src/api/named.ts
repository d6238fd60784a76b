import { z } from 'zod';

/**
 * Every schema with a name in the description. Not zod's global registry, whose ids change the JSON
 * Schema of each use.
 */
export const namedSchemas = z.registry<{ id: string }>();

const taken = new Set<string>();

/** Gives a request body or an answer its name among the components of the description. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  if (taken.has(id)) throw new Error(`Two schemas have the name ${id}`);
  taken.add(id);
  namedSchemas.add(schema, { id });
  return schema;
}
