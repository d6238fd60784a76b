import { z } from 'zod';
import { box } from './transcription.ts';

/**
 * The result of an extractor. Field names and values follow the requested schema; dates are ISO
 * 8601, amounts are numbers. The gate decides which values can be trusted.
 */

export const evidence = z.object({
  /** 1-based page; absent if the value is in an embedded file only. */
  page: z.int().positive().optional(),
  /** In units of the page. */
  box: box.optional(),
  /** The same in fractions of the page, from 0 to 1, origin top left. Set by the gate. */
  relativeBox: box.optional(),
  /** The characters the value was read from. */
  text: z.string(),
  /** The characters on the page, if the value comes from an embedded file and is printed too. */
  printed: z.string().optional(),
  /** Name of the embedded file the value comes from. */
  source: z.string().optional(),
});
export type Evidence = z.infer<typeof evidence>;

export const confidence = z.enum(['high', 'medium', 'low']);
export type Confidence = z.infer<typeof confidence>;

const tokens = z.object({ input: z.int().nonnegative(), output: z.int().nonnegative() });
export type Tokens = z.infer<typeof tokens>;

export const extraction = z.object({
  schema: z.string(),
  fields: z.record(z.string(), z.unknown()),
  evidence: z.record(z.string(), evidence),
  confidence,
  missing_fields: z.array(z.string()),
  extraction_successful: z.boolean(),
  /** Engine or model that answered. */
  model: z.string(),
  tokens,
});
export type Extraction = z.infer<typeof extraction>;

/** The document type that a model chose from those it was offered. */
export const typeChoice = z.object({
  /** Null when its answer was not usable. */
  type: z.string().nullable(),
  model: z.string(),
  tokens,
});
export type TypeChoice = z.infer<typeof typeChoice>;
