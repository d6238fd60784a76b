import { z } from 'zod';
import { unpackZip } from '../../sandbox/archive/zip.ts';
import { inChild } from './in-child.ts';

const work = z.object({
  path: z.string(),
  directory: z.string(),
  limits: z.object({ entries: z.int(), bytes: z.int(), ratio: z.number() }),
  timeoutMs: z.number(),
});
export type UnpackWork = z.infer<typeof work>;

/** An archive becomes files. */
export default inChild(work, unpackZip);
