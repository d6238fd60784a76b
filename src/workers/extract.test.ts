import { expect, onTestFinished, test } from 'vitest';
import { makeTranscription } from '../../test/contract/llm.ts';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { remoteExtractor } from '../../test/kit/remote-extractor.ts';
import type { Extractor } from '../extraction/port.ts';
import { pipeline } from './pipeline.ts';

/** A model with low confidence, behind a reader that fails at first. */
async function ingest({ unread, maxAttempts }: { unread: number; maxAttempts: number }) {
  const calls = { read: 0, extracted: 0 };
  const local = remoteExtractor();
  const extractor: Extractor = {
    ...local,
    deterministic: false,
    async extract(...question) {
      calls.extracted++;
      return { ...(await local.extract(...question)), confidence: 'low' };
    },
  };
  const reader = {
    engine: 'test/1',
    async read() {
      if (++calls.read <= unread) throw new Error('not now');
      return makeTranscription('A letter of no kind in particular.');
    },
    close: async () => undefined,
  };
  const engine = await openTestEngine(pipeline, { reader, extractor });
  onTestFinished(() => engine.close());
  const { documentId } = await engine.admit();
  for (let runs = 1; runs > 0; ) {
    await engine.resources.database.pool.query(
      "update tasks set not_before = now() where state = 'ready'",
    );
    runs = await drain(engine.runnerWith({ maxAttempts }));
  }
  return {
    ...calls,
    ...(await engine.ingestionOf(documentId)),
    ...(await engine.documentOf(documentId)),
  };
}

test.each([
  ['is asked once more', { unread: 0, maxAttempts: 3 }, 2],
  ['is asked once more, whatever failed in an earlier stage', { unread: 1, maxAttempts: 3 }, 2],
  ['is not asked again where no failure is left', { unread: 0, maxAttempts: 1 }, 1],
])('a model that is not sure %s, then a person is', async (_, given, extracted) => {
  expect(await ingest(given)).toMatchObject({
    status: 'completed',
    extracted,
    validStructuredData: false,
    needsHumanReview: true,
  });
});
