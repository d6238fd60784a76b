import { z } from 'zod';
import { tokenize } from '../../lib/fold.ts';
import { faultOfPattern } from './pattern/index.ts';

/** A `summary` describes the document. It is the only kind not looked up in the transcription. */
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
/** Kinds of values printed on a page. */
export type ValueKind = Exclude<FieldKind, 'lines' | 'summary'>;

/** Names become object keys, so names of Object.prototype members are refused. */
export const fieldName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,62}$/,
    'must be lowercase letters, digits and "_", starting with a letter',
  )
  .refine((name) => !(name in {}), 'is reserved and cannot name a field');

/** Text as printed on documents, matched regardless of case, accents and punctuation. */
export const phrase = z
  .string()
  .max(100)
  .refine((text) => tokenize(text).length > 0, 'has no letters or digits');

export const field = z.strictObject({
  kind: fieldKind,
  description: z.string().max(1_000).describe('Sent to the model'),
  columns: z
    .record(fieldName, fieldKind)
    .optional()
    .describe('For `lines`, which are arrays of objects: column name → kind'),
  labels: z
    .array(phrase)
    .min(1)
    .max(40)
    .optional()
    .describe('Printed labels of the field; the value stands to the right or below'),
  pattern: z
    .string()
    .superRefine((source, context) => {
      const fault = faultOfPattern(source);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .optional()
    .describe('Regular expression that the whole text must match'),
  anyTime: z.boolean().optional().describe('Accept dates before 1970 and more than a year ahead'),
});
export type Field = z.infer<typeof field>;
