import { z } from 'zod';
import { field, fieldName } from './field.ts';
import { recognition } from './recognition.ts';
import { rule } from './rule.ts';

/** A schema without its name and version. `consistency.ts` checks that its parts agree. */
export const definition = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(200)
    .describe('What the document is, in a few words; sent to the model'),
  fields: z
    .record(fieldName, field)
    .refine((fields) => Object.keys(fields).length > 0, 'has no field')
    .refine((fields) => Object.keys(fields).length <= 100, 'has more than 100 fields'),
  critical: z
    .array(z.string())
    .describe('If one of these fields is missing, the document needs review'),
  rules: z.array(rule).max(50),
  prompt: z.string().max(8_000).describe("Sent to the model before the document's text"),
  recognise: z
    .array(recognition)
    .max(20)
    .optional()
    .describe(
      'Rules that recognise the type by its pages; one match is enough. Without rules the type must be set by hand or chosen by a model',
    ),
});
export type SchemaDefinition = z.infer<typeof definition>;
