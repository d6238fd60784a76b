import { z } from 'zod';
import { defects } from '../../domain/transcription.ts';
import { watchdog } from '../../lib/watchdog.ts';
import { exitCodes } from '../../sandbox/exit-codes.ts';
import { guardProcess } from '../../sandbox/guard-process.ts';
import { type RepairOutput, repairImage } from '../../sandbox/image/repair.ts';

/** The child's half of the preprocess stage, forked by BullMQ: image work on files, without a key to anything. */
guardProcess();

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

export default async function repair(
  job: { data: unknown },
  _token: string,
  signal?: AbortSignal,
): Promise<RepairOutput> {
  const { timeoutMs, ...input } = work.parse(job.data);
  const callOff = watchdog(timeoutMs);
  // Native work cannot be interrupted; the process is cheap to replace.
  signal?.addEventListener('abort', () => process.exit(exitCodes.aborted));
  try {
    return await repairImage(input);
  } finally {
    await callOff();
  }
}
