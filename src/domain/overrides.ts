import { z } from 'zod';
import { HOUR, SECOND } from '../lib/time.ts';
import { lanes } from './lane.ts';

/** The name of a type, or `auto`. Whether the type exists depends on the workspace. */
export const documentType = z.string().min(1).max(63);

/** Settings for a single run of a document. */
export const overrides = z.strictObject({
  fromStage: z
    .enum(['claim', 'transcribe', 'extract'])
    .optional()
    .describe('Start at this stage and reuse the results of earlier stages from the failed run'),
  timeoutMs: z
    .int()
    .min(SECOND)
    .max(24 * HOUR)
    .optional()
    .describe('Time limit of one task in milliseconds, in every stage'),
  documentType: documentType
    .optional()
    .describe('Use this document type instead of detecting it; "auto" detects it again'),
  lane: z
    .enum(lanes)
    .optional()
    .describe('Use this lane in every stage that has two, whatever the size of the document'),
  provider: z
    .strictObject({ ocr: z.string().optional(), llm: z.string().optional() })
    .optional()
    .describe('Use these providers instead of the configured ones, for example { "ocr": "local" }'),
  noOcr: z
    .boolean()
    .optional()
    .describe('Use only the text embedded in the file; pages without any stay empty'),
});
export type Overrides = z.infer<typeof overrides>;

/** Overrides as requested. The password is stored encrypted and separately. */
export const requestedOverrides = overrides.extend({
  password: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Password of an encrypted PDF or Office document; deleted when the run ends'),
});
export type RequestedOverrides = z.infer<typeof requestedOverrides>;
