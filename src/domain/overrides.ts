import { z } from 'zod';
import { HOUR, SECOND } from '../lib/time.ts';

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
  noOcr: z.boolean().optional().describe('Takes the text that the file carries; pages without any stay empty'),
});
export type Overrides = z.infer<typeof overrides>;
