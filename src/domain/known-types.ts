import type { DocumentSchema } from './schema/index.ts';
import { schemas } from './schemas/index.ts';

/** A type of document that a workspace knows. */
export interface KnownType extends DocumentSchema {
  /** Whether it came with Millrace or is the workspace's own. */
  origin: (typeof origins)[number];
}
export const origins = ['shipped', 'own'] as const;

/** Used when no other type matches. */
export const fallback = 'generic';

/**
 * A workspace's own types first, then the built-in ones. An own type replaces a built-in of the
 * same name.
 */
export function knownTypes(own: readonly DocumentSchema[] = []): KnownType[] {
  const shipped = Object.values<DocumentSchema>(schemas).filter(
    ({ name }) => !own.some((each) => each.name === name),
  );
  return [
    ...own.map((type): KnownType => ({ ...type, origin: 'own' })),
    ...shipped.map((type): KnownType => ({ ...type, origin: 'shipped' })),
  ];
}

export function typeNamed(types: readonly KnownType[], name: string): KnownType | undefined {
  return types.find((type) => type.name === name);
}
