import { z } from 'zod';
import { checkConsistency } from './consistency.ts';
import { definition } from './definition.ts';

/**
 * A document schema: the fields of a type of document, which of them are critical, the rules
 * between them, how the type is recognised, and the prompt for a model.
 */

/** A schema as users write it. */
export const schemaDefinition = definition.superRefine(checkConsistency);

/** In place of a type: detect it. */
export const automatic = 'auto';

export const schemaName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}$/,
    'must be lowercase letters, digits and "-", starting with a letter',
  )
  .refine((name) => name !== automatic, 'is reserved: it selects automatic detection');

export const documentSchema = z
  .strictObject({ name: schemaName, version: z.int().positive(), ...definition.shape })
  .superRefine(checkConsistency);
export type DocumentSchema = z.infer<typeof documentSchema>;
