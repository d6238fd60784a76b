/** Why an item did not become a document of its own. */
export const itemKinds = ['duplicate', 'known', 'skipped', 'exception'] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface Ledger extends Record<ItemKind, number> {
  /** Items that came, by the sender's own count where it gave one. */
  seen: number;
  documents: number;
}

/** Items missing (negative: more came out than went in). A batch closes at zero only. */
export function difference({
  seen,
  documents,
  duplicate,
  known,
  skipped,
  exception,
}: Ledger): number {
  return seen - (documents + duplicate + known + skipped + exception);
}
