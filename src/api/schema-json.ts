import type { StoredSchema } from '../db/schemas.ts';
import type { KnownType } from '../domain/known-types.ts';

type AnySchema = KnownType | StoredSchema;

export function schemaHref({ name, version }: Pick<AnySchema, 'name' | 'version'>): string {
  return `/v1/schemas/${name}?version=${version}`;
}

/** The API representation of a schema. Its `definition` is a valid body for a PUT. */
export function schemaJson(schema: AnySchema) {
  if ('definition' in schema) {
    const { name, version, definition, createdAt, retiredAt } = schema;
    return { name, origin: 'own', version, createdAt, retiredAt, definition };
  }
  const { name, origin, version, ...definition } = schema;
  return { name, origin, version, definition };
}
