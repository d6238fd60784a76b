import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { StorageUnavailableError } from '../errors.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import { SECOND } from '../lib/time.ts';
import type { Reader } from '../providers/ocr/port.ts';
import type { Storage } from '../storage/storage.ts';
import { pipeline } from './pipeline.ts';

/**
 * Storage that a test can fill up, either before a document is read or once its text is available.
 * It can also be away.
 */
let away = false;
let goesWhileReading = false;
let full = false;
let fillsWhileReading = false;
let refused = 0;
let reads = 0;

const page = {
  number: 1,
  width: 0,
  height: 0,
  text: 'Dear Sir',
  words: [],
  quality: { score: 1, defects: [] },
  native: true,
};
const reader: Reader = {
  engine: 'test/1',
  async read() {
    reads += 1;
    full ||= fillsWhileReading;
    away ||= goesWhileReading;
    return { engine: 'test/1', pages: [page], embedded: [], problems: [] };
  },
  close: async () => undefined,
};

const noSpace = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

function limited(storage: Storage): Storage {
  return {
    ...storage,
    async put(...args) {
      if (!full && !away) return storage.put(...args);
      refused += 1;
      throw full ? noSpace() : new StorageUnavailableError('Storage is unavailable', 1000);
    },
    async writable() {
      if (full) throw noSpace();
    },
  };
}

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline, { reader, extractor: openLocalExtractor() });
  engine.resources.storage = limited(engine.resources.storage);
});
afterAll(() => engine.close());
beforeEach(() => {
  full = false;
  away = false;
  fillsWhileReading = false;
  goesWhileReading = false;
  refused = 0;
  reads = 0;
});

test('nothing is read that could not be stored: the document waits without an attempt', async () => {
  const { documentId } = await engine.admit('full before');
  full = true;
  await drain(engine.runnerWith());
  expect(reads).toBe(0);
  expect(await engine.taskOf(documentId)).toMatchObject({
    stage: 'transcribe',
    attempts: 0,
    postponed: 1,
  });
});

test('what was read when the disk ran full is held until it can be stored, and not read again', async () => {
  const { documentId } = await engine.admit('full meanwhile');
  fillsWhileReading = true;
  const draining = drain(engine.runnerWith());
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(1), { timeout: 20 * SECOND });
  full = false;
  await draining;
  expect(reads).toBe(1);
  expect(await engine.ingestionOf(documentId)).toMatchObject({
    status: 'completed',
    attemptCount: 0,
  });
});

test('what was read when storage went away is held until it is back, and not read again', async () => {
  const { documentId } = await engine.admit('away meanwhile');
  goesWhileReading = true;
  const draining = drain(engine.runnerWith());
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(1), { timeout: 20 * SECOND });
  away = false;
  await draining;
  expect(reads).toBe(1);
  expect(await engine.ingestionOf(documentId)).toMatchObject({
    status: 'completed',
    attemptCount: 0,
  });
});

test('held to the end of its time it waits without an attempt, as on any full disk', async () => {
  const { documentId } = await engine.admit('full for long');
  fillsWhileReading = true;
  await drain(engine.runnerWith({ overrides: { transcribe: { timeoutMs: 1.9 * SECOND } } }));
  expect([reads, refused]).toEqual([1, 1]);
  expect(await engine.taskOf(documentId)).toMatchObject({
    stage: 'transcribe',
    attempts: 0,
    postponed: 1,
    lastError: { code: 'BUSY' },
  });
});
