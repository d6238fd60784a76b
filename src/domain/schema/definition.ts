import { z } from 'zod';
import { field, fieldName } from './field.ts';
import { recognition } from './recognition.ts';
import { rule } from './rule.ts';

/** All of a schema but its name and version. Whether its parts agree is asked apart, in `consistency.ts`. */
export const definition = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(200)
    .describe('What such a document is, in a few words; said to a model'),
  fields: z
    .record(fieldName, field)
    .refine((fields) => Object.keys(fields).length > 0, 'has no field')
    .refine((fields) => Object.keys(fields).length <= 100, 'has more than 100 fields'),
  critical: z
    .array(z.string())
    .describe('Without these fields the document goes to a person at once'),
  rules: z.array(rule).max(50),
  prompt: z.string().max(8_000).describe("Said to a model before the document's text"),
  recognise: z
    .array(recognition)
    .max(20)
    .optional()
    .describe(
      'Ways to know it by its pages, any of which will do; without one it must be forced or chosen by a model',
    ),
});
export type SchemaDefinition = z.infer<typeof definition>;
