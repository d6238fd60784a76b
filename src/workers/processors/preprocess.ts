import { z } from 'zod';
import { defects } from '../../domain/transcription.ts';
import { repairImage } from '../../recognition/repair/repair.ts';
import { inChild } from './in-child.ts';

const work = z.object({
  path: z.string(),
  password: z.string().optional(),
  mediaType: z.string(),
  maxPixels: z.number(),
  pages: z.array(z.object({ number: z.int(), defects: z.array(z.enum(defects)) })),
  output: z.string(),
  timeoutMs: z.number(),
});
export type RepairWork = z.infer<typeof work>;

/** Pages of an image or PDF, repaired. */
export default inChild(work, repairImage);
