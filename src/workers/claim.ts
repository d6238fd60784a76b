import { join } from 'node:path';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { recognise } from '../content/sniff.ts';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { done, reject } from '../engine/pipeline/outcome.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { NotFoundError, PermanentError } from '../errors.ts';
import { MINUTE } from '../lib/time.ts';
import { download } from '../storage/download.ts';
import { claimVolume } from './claim-volume.ts';
import { requireScan, scanForViruses } from './scan.ts';

/**
 * Claims the ingestion, checks that all bytes are stored and free of viruses, and detects their real
 * type.
 */
export const claim = defineStage({
  concurrency: 20,
  timeoutMs: 1 * MINUTE,
  bundle: 16,
  async run(document, context) {
    const { storage, signal, workDirectory } = context;
    if (document.bytes === 0) return reject('EMPTY_FILE', `${document.name} is empty`);
    const stored = await storage.head(document.storageKey);
    if (stored?.bytes !== document.bytes) {
      const found = stored ? `${stored.bytes} of ${document.bytes} bytes` : 'nothing';
      return reject('FILE_MISSING_OR_INCOMPLETE', `Storage holds ${found} of ${document.name}`);
    }
    const scan = await scanForViruses(document, context);
    const fetchAll = async () => {
      const path = join(await workDirectory(), 'original');
      await download(storage, document.storageKey, path, { signal, sha256: document.sha256 });
      return path;
    };
    const start = (tx: Db) => startIngestion(tx, document);
    const volume = await claimVolume(document, context, start);
    if (volume && 'outcome' in volume) return volume.outcome;
    const { mediaType, isContainer } = volume
      ? { ...volume, isContainer: true }
      : await recognise(
          await storage.get(document.storageKey, signal).catch(gone),
          fetchAll,
          document.name,
        );
    const warn = requireScan(scan, document, isContainer);
    return done(isContainer ? 'container' : 'single', async (tx) => {
      await warn?.(tx);
      await start(tx);
      await tx.update(documents).set({ mediaType }).where(eq(documents.id, document.id));
    });
  },
});

async function startIngestion(tx: Db, { ingestion }: StageDocument): Promise<void> {
  const unclaimed = and(
    eq(ingestions.id, ingestion.id),
    eq(ingestions.status, 'in-progress'),
    isNull(ingestions.startedAt),
  );
  await tx.update(ingestions).set({ startedAt: sql`now()` }).where(unclaimed);
}

function gone(error: unknown): never {
  if (error instanceof NotFoundError)
    throw new PermanentError('FILE_MISSING_OR_INCOMPLETE', 'The stored bytes are missing', {
      cause: error,
    });
  throw error;
}
