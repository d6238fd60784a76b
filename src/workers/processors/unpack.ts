import { z } from 'zod';
import { containerTypes } from '../../content/container.ts';
import { unpackContainer } from '../../content/unpack/index.ts';
import { inChild } from './in-child.ts';

const work = z.object({
  path: z.string(),
  mediaType: z.enum(containerTypes),
  directory: z.string(),
  limits: z.object({ entries: z.int(), bytes: z.int(), ratio: z.number() }),
  timeoutMs: z.number(),
});
export type UnpackWork = z.infer<typeof work>;

/** A container becomes files. */
export default inChild(work, unpackContainer);
