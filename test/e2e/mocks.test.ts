import '../kit/hooks.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLocalExtractor } from '../../src/extraction/local.ts';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { drain } from '../kit/drain.ts';
import { openTestEngine } from '../kit/engine.ts';

/** Documents that misbehave on command, through the whole pipeline. */

let sandbox: Sandbox;
let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  sandbox = openSandbox({ processes: 1, memoryMb: 400, largeMemoryMb: 1200, recycleAfter: 50 });
  const local = openLocalReader({
    sandbox,
    maxPages: 10,
    maxPixels: 1e7,
    languages: [],
    pageTimeoutMs: 6000,
  });
  engine = await openTestEngine(pipeline, { reader: local, extractor: openLocalExtractor() });
});
afterAll(async () => {
  await engine.close();
  await sandbox.close();
});

async function play(...steps: object[]): Promise<string> {
  const { documentId } = await engine.admit(
    JSON.stringify({ 'millrace-mock': steps }),
    'mock.json',
  );
  await drain(engine.runnerWith());
  return documentId;
}

describe('a document that', () => {
  test('behaves is read', async () => {
    const id = await play({ do: 'sleep', ms: 1 }, { do: 'say', text: 'Invoice 7' });
    expect(await engine.ingestionOf(id)).toMatchObject({
      status: 'completed',
      attemptCount: 0,
      pages: 1,
    });
  });

  test.each([
    ['hangs', { do: 'sleep', ms: 60_000 }, 'TOO_SLOW', 2],
    ['keeps its process busy', { do: 'spin', ms: 60_000 }, 'TOO_SLOW', 2],
    ['fills the heap', { do: 'allocate', mb: 2000 }, 'OUT_OF_MEMORY', 2],
    ['fills native memory', { do: 'allocate', mb: 2000, native: true }, 'OUT_OF_MEMORY', 2],
    ['exits', { do: 'exit', code: 0 }, 'WORKER_LOST', 1],
    ['crashes', { do: 'signal', name: 'SIGSEGV' }, 'WORKER_LOST', 1],
    ['throws', { do: 'throw', message: 'no' }, 'INTERNAL', 1],
    ['floods its output and dies', { do: 'flood', mb: 64 }, undefined, 0],
  ] as const)(
    '%s fails alone: the next one is read',
    { timeout: 60_000 },
    async (_, step, code, failed) => {
      const { attempts, lastError } = await engine.taskOf(await play(step));
      expect({ attempts, code: lastError?.code }).toEqual({ attempts: failed, code });
      await engine.resources.database.pool.query(
        "update tasks set not_before = 'infinity' where state = 'ready'",
      );
      const good = await play({ do: 'say', text: 'Invoice 8' });
      expect(await engine.ingestionOf(good)).toMatchObject({
        status: 'completed',
        attemptCount: 0,
      });
    },
  );

  test.each([false, true])(
    'needs more memory than the small lane has is read in the large one (native: %s)',
    async (native) => {
      const id = await play({ do: 'allocate', mb: 600, native }, { do: 'say', text: 'Invoice 10' });
      expect(await engine.ingestionOf(id)).toMatchObject({ status: 'completed', attemptCount: 1 });
      expect(await engine.trailOf(id)).toEqual(
        expect.arrayContaining(['transcribe:retry', 'transcribe:readable']),
      );
    },
  );

  test('leaves a rejection behind hurts nobody else', async () => {
    const bad = await play({ do: 'reject', message: 'nobody listens' });
    const good = await play({ do: 'say', text: 'Invoice 9' });
    expect((await engine.taskOf(bad)).lastError?.code ?? 'WORKER_LOST').toBe('WORKER_LOST');
    expect(await engine.ingestionOf(good)).toMatchObject({ status: 'completed', attemptCount: 0 });
  });
});
