/** `withdrawn`: a new run of the document replaced the values that were in doubt. */
export const reviewStates = ['open', 'approved', 'rejected', 'withdrawn'] as const;
export type ReviewState = (typeof reviewStates)[number];

export const reviewActions = [
  'corrected',
  'approved',
  'rejected',
  'reclassified',
  'reread',
] as const;
export type ReviewAction = (typeof reviewActions)[number];

/** One value that a person changed. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** The fields whose values differ, compared as JSON. */
export function listChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.keys(after).flatMap((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
}
