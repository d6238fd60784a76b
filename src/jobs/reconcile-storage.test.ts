import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { drain } from '../../test/kit/drain.ts';
import { s3SettingsOf, startS3Server } from '../../test/kit/s3-server.ts';
import { ensureWorkspace } from '../db/workspaces.ts';
import { newId } from '../lib/ids.ts';
import { HOUR } from '../lib/time.ts';
import { remove } from '../lifecycle/remove.ts';
import { storageKeys } from '../storage/keys.ts';
import { openS3 } from '../storage/s3/index.ts';
import type { Storage } from '../storage/storage.ts';
import { findMissingBytes, removeOrphans } from './reconcile-storage.ts';

async function openBucket(): Promise<{ storage: Storage; stop(): Promise<void> }> {
  const { stop, ...server } = await startS3Server();
  const storage = await openS3(s3SettingsOf(server));
  return { storage, stop: () => storage.close().then(stop) };
}

/** The same storage, but all of its objects appear to be old. */
const aged = (storage: Storage): Storage => ({
  ...storage,
  async *list(prefix, after) {
    for await (const object of storage.list(prefix, after))
      yield { ...object, modified: new Date(0) };
  },
});

describe.each(['files', 's3'] as const)('storage and tables compared (%s)', (kind) => {
  let api: TestApi;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const bucket = kind === 's3' ? await openBucket() : undefined;
    api = await openTestApi(bucket && { resources: { storage: bucket.storage } });
    closers.push(api.close, ...(bucket ? [bucket.stop] : []));
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const orphans = (graceMs: number, limit = 1000) =>
    removeOrphans(api.resources, { graceMs, limit });
  const missing = (limit = 1000) => findMissingBytes(api.resources, { limit });
  const put = (key: string) => api.resources.storage.put(key, Buffer.from(key));
  const has = async (key: string) => (await api.resources.storage.head(key)) !== undefined;
  const originalOf = async (id: string) => (await api.documentOf(id)).storageKey;

  test('what a deleted document left behind goes after the grace period', async () => {
    const { documentId: kept } = await api.admit('kept');
    const { documentId: gone } = await api.admit('gone');
    await drain(api.runnerWith());
    const artifact = storageKeys.transcription((await api.ingestionOf(gone)).id, 1);
    const keptArtifact = storageKeys.transcription((await api.ingestionOf(kept)).id, 1);
    for (const key of [artifact, keptArtifact]) await put(key);
    const failing = {
      ...api.resources.storage,
      remove: () => Promise.reject(new Error('storage is down')),
    };
    await remove({ ...api.resources, storage: failing }, api.context.intake, gone);
    expect(await has(await originalOf(gone))).toBe(true);
    const old = { ...api.resources, storage: aged(api.resources.storage) };
    expect(await removeOrphans(old, { graceMs: HOUR, limit: 1000 })).toBe(0);
    await api.resources.database.pool.query(
      "update documents set deleted_at = now() - interval '2 hours' where id = $1",
      [gone],
    );
    expect(await removeOrphans(old, { graceMs: HOUR, limit: 1000 })).toBe(2);
    expect([await has(await originalOf(gone)), await has(artifact)]).toEqual([false, false]);
    expect([await has(await originalOf(kept)), await has(keptArtifact)]).toEqual([true, true]);
  });

  test('what an upload left behind that came to nothing goes; what is not ours stays', async () => {
    const orphan = storageKeys.original(newId(), '.pdf');
    const foreign = [
      'documents/read-me.txt',
      `ingestions/notes/${newId()}.json`,
      'inbox/x/letter.pdf',
    ];
    for (const key of [orphan, ...foreign]) await put(key);
    expect(await orphans(HOUR)).toBe(0);
    expect(await orphans(0)).toBe(1);
    expect(await has(orphan)).toBe(false);
    for (const key of foreign) expect(await has(key)).toBe(true);
  });

  test('a pass looks at a few, the next at those behind them, and then all over again', async () => {
    const all = Array.from({ length: 7 }, () => storageKeys.original(newId(), 'txt'));
    for (const key of all) await put(key);
    let removed = 0;
    for (let pass = 0; pass < 8; pass++) removed += await orphans(0, 3);
    expect(removed).toBe(7);
    await put(all[0] ?? '');
    for (let pass = 0; pass < 8; pass++) removed += await orphans(0, 3);
    expect(removed).toBe(8);
  });

  test('bytes that are missing or cut short are told once, and that they are back', async () => {
    const { documentId } = await api.admit('whole');
    const key = await originalOf(documentId);
    const types = async () =>
      (await api.eventsOf(documentId)).map(({ type }) => type).filter((type) => /BYTES/.test(type));
    expect(await missing()).toMatchObject({ missing: 0 });
    await api.resources.storage.remove(key);
    expect(await missing()).toMatchObject({ missing: 1 });
    expect(await missing()).toMatchObject({ missing: 0, found: 0 });
    const metrics = await (await api.call('/metrics')).text();
    expect(metrics).toContain('millrace_documents_bytes_missing 1');
    await api.resources.storage.put(key, Buffer.from('who'));
    expect(await missing()).toMatchObject({ missing: 0, found: 0 });
    await api.resources.storage.put(key, Buffer.from('whole'));
    expect(await missing()).toMatchObject({ found: 1 });
    expect(await types()).toEqual(['DOCUMENT_BYTES_MISSING', 'DOCUMENT_BYTES_FOUND']);
  });

  test('every document is looked at, some in a pass', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => (await api.admit(`many ${i}`)).documentId),
    );
    for (const id of ids) await api.resources.storage.remove(await originalOf(id));
    let told = 0;
    for (let pass = 0; pass < 10; pass++) told += (await missing(2)).missing;
    expect(told).toBe(5);
  });

  test('nothing is removed from storage that another installation uses', async () => {
    const { storage } = api.resources;
    const owner = await text(await storage.get('installation'));
    const stranger = await openTestApi({ resources: { storage } });
    onTestFinished(stranger.close);
    await ensureWorkspace(stranger.resources.database.db, 'another');
    const orphan = storageKeys.original(newId(), 'txt');
    await put(orphan);
    await expect(removeOrphans(stranger.resources, { graceMs: 0, limit: 10 })).rejects.toThrow(
      'another installation',
    );
    expect(await has(orphan)).toBe(true);
    expect(await text(await storage.get('installation'))).toBe(owner);
  });
});
