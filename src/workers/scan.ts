import { appendEvent } from '../db/events.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { PermanentError } from '../errors.ts';

export type ScanVerdict = 'scanned' | 'too large';

/** Throws if the scanner finds a virus, or waits while it is away. Without a scanner, all passes. */
export async function scanForViruses(
  document: StageDocument,
  { scanner, storage, signal }: StageContext,
): Promise<ScanVerdict> {
  if (!scanner) return 'scanned';
  const result = await scanner.scan(await storage.get(document.storageKey, signal), signal);
  if (result.kind === 'infected')
    throw new PermanentError('INFECTED', `${document.name} contains ${result.signature}`);
  return result.kind === 'clean' ? 'scanned' : 'too large';
}

/**
 * The entries of a container are scanned one by one, so a container may be too large to be scanned
 * itself. Any other document that was not scanned is refused.
 */
export function requireScan(verdict: ScanVerdict, document: StageDocument, isContainer: boolean) {
  if (verdict === 'scanned') return undefined;
  const message = `${document.name} is larger than the virus scanner accepts`;
  if (!isContainer) throw new PermanentError('NOT_SCANNED', message);
  return (tx: Parameters<typeof appendEvent>[0]) =>
    appendEvent(tx, 'WARNING', document.ingestion.id, {
      message: `${message}; its entries are scanned instead`,
      documentId: document.id,
    });
}
