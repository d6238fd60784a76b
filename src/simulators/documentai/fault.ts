import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { StatusName } from '../../providers/ocr/documentai/status.ts';
import { Refusal } from './refusal.ts';

export type DocumentAiFault =
  | { kind: 'error'; code: StatusName; message?: string; retryAfter?: string }
  | { kind: 'slow'; ms: number }
  /** Accepts the call and never responds. */
  | { kind: 'silent' };

export async function suffer(
  fault: DocumentAiFault | undefined,
  closing: AbortSignal,
): Promise<void> {
  if (fault?.kind === 'error')
    throw new Refusal(fault.code, fault.message ?? 'Simulated.', fault.retryAfter);
  if (fault?.kind === 'slow') await delay(fault.ms, undefined, { signal: closing });
  if (fault?.kind === 'silent') await once(closing, 'abort');
}
