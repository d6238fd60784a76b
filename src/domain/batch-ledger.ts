/** Why an item did not become a document. */
export const itemKinds = ['duplicate', 'known', 'skipped', 'exception'] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface Ledger extends Record<ItemKind, number> {
  /** Items received, or the sender's own count if it gave one. */
  seen: number;
  documents: number;
}

/** The ledger of a container. */
export interface Contents extends Ledger {
  /** The engine that unpacked it, if the usual one could not. */
  engine?: string;
}

/** Missing items; negative when more were accounted for than received. A batch closes only at 0. */
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
