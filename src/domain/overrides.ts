import { z } from 'zod';
import { HOUR, SECOND } from '../lib/time.ts';
import { lanes } from './lane.ts';

/** The name of a type, or `auto`. Whether there is such a type the workspace decides. */
export const documentType = z.string().min(1).max(63);

/** What one run of a document does differently from the rest. */
export const overrides = z.strictObject({
  fromStage: z
    .enum(['claim', 'transcribe', 'extract'])
    .optional()
    .describe('Begins here and takes what came before from the run that failed'),
  timeoutMs: z
    .int()
    .min(SECOND)
    .max(24 * HOUR)
    .optional()
    .describe('Longest run of one task, in every stage'),
  documentType: documentType
    .optional()
    .describe('What the document is, whatever it looks like; "auto" lets Millrace choose again'),
  lane: z
    .enum(lanes)
    .optional()
    .describe('The lane in which it begins every stage that has two, whatever its size'),
  provider: z
    .strictObject({ ocr: z.string().optional(), llm: z.string().optional() })
    .optional()
    .describe(
      'Engines that read and extract instead of the usual ones, such as { "ocr": "local" }',
    ),
  noOcr: z
    .boolean()
    .optional()
    .describe('Takes the text that the file carries; pages without any stay empty'),
});
export type Overrides = z.infer<typeof overrides>;

/** As somebody asks for them: with what is kept sealed, and apart from the rest. */
export const requestedOverrides = overrides.extend({
  password: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Opens encrypted PDFs; forgotten when the run ends'),
});
export type RequestedOverrides = z.infer<typeof requestedOverrides>;
