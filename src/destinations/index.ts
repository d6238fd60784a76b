import { http } from './http.ts';
import { paperlessNgx } from './paperless-ngx.ts';
import type { DestinationKind } from './port.ts';
import { s3 } from './s3.ts';

/** Every supported kind of document manager. */
export const kinds = { http, 'paperless-ngx': paperlessNgx, s3 } satisfies Record<
  string,
  DestinationKind
>;

export function findDestinationKind(name: string): DestinationKind {
  const kind = Object.entries(kinds).find(([known]) => known === name)?.[1];
  if (!kind) throw new Error(`There is no kind of destination "${name}"`);
  return kind;
}
