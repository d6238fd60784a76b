import { z } from 'zod';
import type { UnpackedEntry } from '../../domain/container.ts';
import { watchdog } from '../../lib/watchdog.ts';
import { unpackZip } from '../../sandbox/archive/zip.ts';
import { exitCodes } from '../../sandbox/exit-codes.ts';
import { guardProcess } from '../../sandbox/guard-process.ts';

/** The child's half of the unpack stage: an archive becomes files, without a key to anything. */
guardProcess();

const work = z.object({
  path: z.string(),
  directory: z.string(),
  limits: z.object({ entries: z.int(), bytes: z.int(), ratio: z.number() }),
  timeoutMs: z.number(),
});
export type UnpackWork = z.infer<typeof work>;

export default async function unpack(
  job: { data: unknown },
  _token: string,
  signal?: AbortSignal,
): Promise<UnpackedEntry[]> {
  const { timeoutMs, ...input } = work.parse(job.data);
  const callOff = watchdog(timeoutMs);
  signal?.addEventListener('abort', () => process.exit(exitCodes.aborted));
  try {
    return await unpackZip(input);
  } finally {
    await callOff();
  }
}
