import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import { copyTranscription } from '../../storage/transcriptions.ts';
import type { GateVerdict } from '../../understanding/gate/index.ts';

const timeoutMs = 1 * MINUTE;

export interface Recheck {
  schema: DocumentSchema;
  values: Readonly<Record<string, unknown>>;
  /** Fields whose values a person has set. */
  settled: readonly string[];
  transcription: { key: string; sha256: string };
}

/** Judges values again in the sandbox. What a person has set need not stand in the document. */
export async function recheck(
  { storage, sandbox }: Pick<Resources, 'storage' | 'sandbox'>,
  { transcription: { key, sha256 }, ...input }: Recheck,
): Promise<GateVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-review-'));
  try {
    const path = join(directory, 'transcription');
    await copyTranscription(storage, key, sha256, path);
    return await sandbox.run('understanding.recheck', { ...input, path }, { timeoutMs });
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
