import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountDisk } from '../../../test/chaos/disk.ts';
import { storageContract } from '../../../test/contract/storage.ts';
import { SetupError } from '../../errors.ts';
import { Closers } from '../../lib/closers.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { SECOND } from '../../lib/time.ts';
import { openFiles } from './index.ts';

storageContract('files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-storage-'));
  return {
    storage: await openFiles(directory),
    leftovers: async () => (await readdir(join(directory, 'incoming'))).length,
    stop: () => rm(directory, { recursive: true }),
  };
});

describe('files', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'millrace-storage-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('sweeps what was left half written a day ago, and nothing younger', async () => {
    await openFiles(directory);
    const [old, young] = [join(directory, 'incoming', 'old'), join(directory, 'incoming', 'young')];
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const path of [old, young]) await writeFile(path, 'half');
    await utimes(old, yesterday, yesterday);
    await openFiles(directory);
    expect(await readdir(join(directory, 'incoming'))).toEqual(['young']);
  });

  it('discards directories that became empty, also while others write there', async () => {
    const storage = await openFiles(directory);
    const rounds = Array.from({ length: 50 }, async (_, i) => {
      await storage.put(`deep/er/${i % 5}/${i}`, Buffer.from('x'));
      await storage.remove(`deep/er/${i % 5}/${i}`);
    });
    await Promise.all(rounds);
    expect(await readdir(join(directory, 'objects'))).not.toContain('deep');
  });

  it('has no links', async () => {
    const storage = await openFiles(directory);
    await storage.put('linked', Buffer.from('x'));
    expect(await storage.link('linked', 'x.pdf', 60)).toBeUndefined();
  });

  it('does not take a directory for an object', async () => {
    const storage = await openFiles(directory);
    await storage.put('folder/object', Buffer.from('x'));
    expect(await storage.head('folder')).toBeUndefined();
    await expect(storage.get('folder')).rejects.toThrow('There is no object folder');
  });

  it('explains a directory that cannot be used', async () => {
    const file = join(directory, 'a-file');
    await writeFile(file, '');
    const refused = openFiles(join(file, 'inside'));
    await expect(refused).rejects.toThrow(SetupError);
    await expect(refused).rejects.toThrow(/storage directory .* is not a directory/);
  });
});

describe.skipIf(process.getuid?.() !== 0)(
  'files on a disk of their own, which only root can mount',
  () => {
    it('are not writable while it is full, and say so before anything is put', async () => {
      const closers = new Closers();
      onTestFinished(() => closers.close());
      const directory = await mkdtemp(join(tmpdir(), 'millrace-storage-'));
      closers.add(() => rm(directory, { recursive: true }));
      const disk = await mountDisk(directory, closers);
      const storage = await openFiles(directory);
      await storage.writable();
      await disk?.fill();
      const refusal = await vi.waitUntil(
        () => storage.writable().catch((error: unknown) => error),
        patience,
      );
      expect(isDiskFull(refusal)).toBe(true);
      expect(String(refusal)).toContain('is on a full disk');
      await expect(storage.put('object', Buffer.alloc(100))).rejects.toSatisfy(isDiskFull);
      await disk?.empty();
      await vi.waitFor(() => storage.writable(), patience);
      expect(await storage.put('object', Buffer.alloc(100))).toBe('stored');
      expect(await readdir(join(directory, 'incoming'))).toEqual([]);
    });
  },
);

/** Answers of `writable` are cached for a second. */
const patience = { timeout: 20 * SECOND, interval: 100 };
