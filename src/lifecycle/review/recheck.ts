import type { DocumentSchema } from '../../domain/schema/index.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import { withTranscription } from '../../storage/borrowed-transcription.ts';
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
export function recheck(
  { storage, sandbox }: Pick<Resources, 'storage' | 'sandbox'>,
  { transcription, ...input }: Recheck,
): Promise<GateVerdict> {
  return withTranscription(storage, transcription, (path) =>
    sandbox.run('understanding.recheck', { ...input, path }, { timeoutMs }),
  );
}
