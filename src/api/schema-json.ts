import type { StoredSchema } from '../db/schemas.ts';
import type { KnownType } from '../domain/known-types.ts';

type Shown = KnownType | StoredSchema;

export function schemaHref({ name, version }: Pick<Shown, 'name' | 'version'>): string {
  return `/v1/schemas/${name}?version=${version}`;
}

/** A schema as callers see it: what its definition says can be sent back as it is. */
export function schemaJson(schema: Shown) {
  if ('definition' in schema) {
    const { name, version, definition, createdAt, retiredAt } = schema;
    return { name, origin: 'own', version, createdAt, retiredAt, definition };
  }
  const { name, origin, version, ...definition } = schema;
  return { name, origin, version, definition };
}
