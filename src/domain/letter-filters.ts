import { z } from 'zod';

/** Selects the dead letters that match every given filter. */
export const letterFilters = z.object({
  workspace: z.uuid().optional(),
  batch: z.uuid().optional(),
  stage: z.string().optional(),
  code: z.string().optional(),
  category: z.enum(['rejected', 'exhausted', 'gave-up', 'lost']).optional(),
  fingerprint: z
    .string()
    .optional()
    .describe('Groups failures with the same stage, code and message pattern'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Text contained in the message or the name of the document'),
  since: z.iso.datetime({ offset: true }).optional().describe('Last seen at or after this time'),
  until: z.iso.datetime({ offset: true }).optional().describe('Last seen before this time'),
});
export type LetterFilters = z.infer<typeof letterFilters>;
