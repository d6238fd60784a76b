import { z } from 'zod';

/**
 * A document schema: which fields a kind of document has, which of them it cannot do without, which rules must hold
 * between them, and how to ask a model for them. JSON Schema plus rules in one versioned value.
 */

/** `summary` is said about the document, not read from it: the one kind that is never looked up in the transcription. */
export const fieldKind = z.enum(['text', 'date', 'amount', 'currency', 'iban', 'vat_id', 'lines', 'summary']);
export type FieldKind = z.infer<typeof fieldKind>;

export const rule = z.discriminatedUnion('kind', [
  /** The sum of `of` equals `equals` (a line-item path such as `line_items.amount` sums its column). */
  z.object({
    kind: z.literal('sum'),
    of: z.array(z.string()).min(1),
    equals: z.string(),
    tolerance: z.number().default(0.02),
  }),
  /** `earlier` is not after `later`. */
  z.object({ kind: z.literal('order'), earlier: z.string(), later: z.string() }),
  /** At least one of `of` was found. */
  z.object({ kind: z.literal('some'), of: z.array(z.string()).min(1) }),
]);
export type Rule = z.infer<typeof rule>;

export const documentSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  version: z.int().positive(),
  title: z.string(),
  /** Field name → kind and description. `lines` fields are arrays of objects with the columns given. */
  fields: z.record(
    z.string(),
    z.object({ kind: fieldKind, description: z.string(), columns: z.record(z.string(), fieldKind).optional() }),
  ),
  /** Without these the document goes to a person at once. */
  critical: z.array(z.string()),
  rules: z.array(rule),
  /** Said to a model before the document's text. */
  prompt: z.string(),
});
export type DocumentSchema = z.infer<typeof documentSchema>;
