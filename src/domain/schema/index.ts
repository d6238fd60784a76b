import { z } from 'zod';
import { checkConsistency } from './consistency.ts';
import { definition } from './definition.ts';

/**
 * A document schema: which fields a kind of document has, which of them it cannot do without, which rules must hold
 * between them, how it is recognised, and how to ask a model for it. JSON Schema plus rules in one versioned value.
 */

/** What people write. */
export const schemaDefinition = definition.superRefine(checkConsistency);

/** Asks for no type in particular, where a type can be forced. */
export const automatic = 'auto';

export const schemaName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be small letters, digits and "-", a letter first')
  .refine((name) => name !== automatic, `names no type: it leaves the choice to Millrace`);

export const documentSchema = z
  .strictObject({ name: schemaName, version: z.int().positive(), ...definition.shape })
  .superRefine(checkConsistency);
export type DocumentSchema = z.infer<typeof documentSchema>;
