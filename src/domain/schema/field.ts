import { z } from 'zod';
import { tokenize } from '../../lib/fold.ts';
import { faultOfPattern } from './pattern.ts';

/** `summary` is said about the document, not read from it: the one kind that is never looked up in the transcription. */
export const fieldKind = z.enum([
  'text',
  'date',
  'amount',
  'number',
  'currency',
  'iban',
  'vat_id',
  'lines',
  'summary',
]);
export type FieldKind = z.infer<typeof fieldKind>;
/** Kinds of values that stand on a page. */
export type ValueKind = Exclude<FieldKind, 'lines' | 'summary'>;

/** Names become keys of objects: what every object has by itself is none. */
export const fieldName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be small letters, digits and "_", a letter first')
  .refine((name) => !(name in {}), 'is a word that cannot name a field');

/** As printed on documents; found whatever its case, accents and punctuation. */
export const phrase = z
  .string()
  .max(100)
  .refine((text) => tokenize(text).length > 0, 'has no letters or digits');

export const field = z.strictObject({
  kind: fieldKind,
  description: z.string().max(1_000).describe('Said to a model'),
  columns: z
    .record(fieldName, fieldKind)
    .optional()
    .describe('Of `lines`, which are arrays of objects: column name → kind'),
  labels: z
    .array(phrase)
    .min(1)
    .max(40)
    .optional()
    .describe('What the document calls it: the value stands behind or below'),
  pattern: z
    .string()
    .superRefine((source, context) => {
      const fault = faultOfPattern(source);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .optional()
    .describe('Regular expression for the whole of a text'),
  anyTime: z
    .boolean()
    .optional()
    .describe('A date before 1970 or more than a year ahead is no reason for doubt'),
});
export type Field = z.infer<typeof field>;
