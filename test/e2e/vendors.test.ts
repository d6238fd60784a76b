import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openOpenAi } from '../../src/extraction/openai/index.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { openDocumentAi } from '../../src/providers/ocr/documentai/index.ts';
import { openPdfIn } from '../../src/providers/ocr/documentai/pdf.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import {
  type DocumentAiSimulatorOptions,
  startDocumentAiSimulator,
} from '../../src/simulators/documentai/index.ts';
import { inOrder } from '../../src/simulators/faults.ts';
import {
  type OpenAiSimulatorOptions,
  startOpenAiSimulator,
} from '../../src/simulators/openai/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { drain } from '../kit/drain.ts';
import { openTestEngine } from '../kit/engine.ts';
import { armFailpoints } from '../kit/hooks.mjs';

/** The whole pipeline on the vendors' real clients, against servers that speak their protocols. */

interface Faulty {
  reading?: DocumentAiSimulatorOptions['faults'];
  extracting?: OpenAiSimulatorOptions['faults'];
}

async function openVendors({ reading, extracting }: Faulty = {}) {
  const documentAi = await startDocumentAiSimulator(reading ? { faults: reading } : {});
  const openAi = await startOpenAiSimulator(extracting ? { faults: extracting } : {});
  const processor = 'projects/p/locations/eu/processors/0123456789abcdef';
  const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
  const reader = openDocumentAi(
    {
      processor,
      endpoint: documentAi.host,
      port: documentAi.port,
      plaintext: true,
      pricePerPage: 0.0015,
    },
    openPdfIn(sandbox, MINUTE),
  );
  const prices = { perMillionInputTokens: 1, perMillionOutputTokens: 4 };
  const extractor = openOpenAi({
    apiKey: 'simulated',
    baseUrl: openAi.baseUrl,
    model: 'simulated',
    prices,
  });
  const engine = await openTestEngine(pipeline, { reader, extractor });
  onTestFinished(async () => {
    await engine.close();
    await Promise.all([reader.close(), sandbox.close(), documentAi.close(), openAi.close()]);
  });
  const bytes = await readFile(
    fileURLToPath(new URL('../../samples/invoice.pdf', import.meta.url)),
  );
  return {
    ...engine,
    calls: () => ({ read: documentAi.tally.total, extracted: openAi.tally.total }),
    admitInvoice: async () => (await engine.admit(bytes, 'invoice.pdf')).documentId,
    drain: () => drain(engine.runnerWith()),
    makeDue: () =>
      engine.resources.database.pool.query(
        "update tasks set not_before = now() where state = 'ready'",
      ),
  };
}

describe('the pipeline on vendors', () => {
  test('reads with one and extracts with the other, and books what it used', async () => {
    const vendors = await openVendors();
    const id = await vendors.admitInvoice();
    await vendors.drain();
    const ingestion = await vendors.ingestionOf(id);
    expect(ingestion).toMatchObject({
      status: 'completed',
      pages: 1,
      documentType: 'invoice',
      extractionModel: 'simulated',
    });
    expect(ingestion.extractionInputTokens).toBeGreaterThan(0);
    const extracting = ingestion.extractionInputTokens + 4 * ingestion.extractionOutputTokens;
    expect(ingestion.costMicros).toBe(1_500 + extracting);
    expect(ingestion.structuredData).toMatchObject({ total: 4651.2 });
  });

  test('never pays twice for the same bytes', async () => {
    const vendors = await openVendors();
    await vendors.admitInvoice();
    await vendors.drain();
    const paid = vendors.calls();
    const again = await vendors.admitInvoice();
    await vendors.drain();
    expect(vendors.calls()).toEqual(paid);
    expect(await vendors.ingestionOf(again)).toMatchObject({
      status: 'completed',
      extractionInputTokens: 0,
      costMicros: 0,
    });
    expect(
      (await vendors.resources.metrics.registry.metrics()).match(
        /work_saved_total\{stage="\w+"\} 1/g,
      ),
    ).toHaveLength(2);
  });

  test('does not pay again after a crash between storing and committing', async () => {
    const vendors = await openVendors();
    const id = await vendors.admitInvoice();
    armFailpoints('transcribe.stored/*=error');
    onTestFinished(() => armFailpoints(''));
    await vendors.drain();
    armFailpoints('');
    await vendors.makeDue();
    await vendors.drain();
    expect(await vendors.ingestionOf(id)).toMatchObject({ status: 'completed', attemptCount: 1 });
    expect(vendors.calls().read).toBe(1);
  });

  test('waits when a vendor is busy, without an attempt', async () => {
    const vendors = await openVendors({
      reading: inOrder({ kind: 'error', code: 'RESOURCE_EXHAUSTED', retryAfter: '7' }),
      extracting: inOrder({ kind: 'status', status: 429, headers: { 'retry-after': '9' } }),
    });
    const id = await vendors.admitInvoice();
    await vendors.drain();
    expect(await vendors.taskOf(id)).toMatchObject({
      stage: 'transcribe',
      postponed: 1,
      lastError: { code: 'BUSY' },
    });
    await vendors.makeDue();
    await vendors.drain();
    expect(await vendors.taskOf(id)).toMatchObject({ stage: 'extract', postponed: 2, attempts: 0 });
    await vendors.makeDue();
    await vendors.drain();
    expect(await vendors.ingestionOf(id)).toMatchObject({ status: 'completed', attemptCount: 0 });
  });

  test('fails for good, with the reason, when a vendor stays broken', async () => {
    const vendors = await openVendors({
      extracting: () => ({ kind: 'status', status: 500, message: 'on fire' }),
    });
    const id = await vendors.admitInvoice();
    for (let attempt = 0; attempt < 3; attempt++) {
      await vendors.drain();
      await vendors.makeDue();
    }
    expect(await vendors.ingestionOf(id)).toMatchObject({ status: 'failed', attemptCount: 3 });
    expect(await vendors.deadLettersOf(id)).toMatchObject([
      { stage: 'extract', category: 'exhausted' },
    ]);
    expect(vendors.calls().read).toBe(1);
  });

  test('asks a person when the model refuses', async () => {
    const vendors = await openVendors({ extracting: () => ({ kind: 'refusal' }) });
    const id = await vendors.admitInvoice();
    await vendors.drain();
    expect(vendors.calls().extracted).toBe(1);
    expect(await vendors.ingestionOf(id)).toMatchObject({
      status: 'completed',
      validStructuredData: false,
    });
    expect(await vendors.documentOf(id)).toMatchObject({ needsHumanReview: true });
  });
});
