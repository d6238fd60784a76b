import { expect, test } from 'vitest';
import { invoiceSchema, plainInvoice } from '../../../test/contract/llm.ts';
import { BusyError, PermanentError } from '../../errors.ts';
import { openOpenAi } from '../../extraction/openai/index.ts';
import type { OpenAiFault } from '../../simulators/openai/fault.ts';
import { startOpenAiSimulator } from '../../simulators/openai/index.ts';
import { openGovernor } from './index.ts';
import { openMemoryStore } from './memory-store.ts';
import type { Limits } from './store.ts';

const limits: Limits = { requestsPerMinute: 100, failures: 3, coolDownMs: 5_000 };
const never = new AbortController().signal;

function setup(overrides: Partial<Limits> = {}) {
  const time = { now: 1_000 };
  const store = openMemoryStore(() => time.now);
  return {
    time,
    governor: openGovernor({
      provider: 'ocr',
      limits: { ...limits, ...overrides },
      store,
      random: () => 0,
    }),
  };
}

async function failWith(
  governor: ReturnType<typeof setup>['governor'],
  error: Error,
  signal = never,
): Promise<unknown> {
  return governor.run(() => Promise.reject(error), signal).catch((caught: unknown) => caught);
}

test('lets calls through and hands their results on', async () => {
  const { governor } = setup();
  expect(await governor.run(async () => 42, never)).toBe(42);
});

test('a used-up budget is a wait, without a call', async () => {
  const { governor } = setup({ requestsPerMinute: 1 });
  await governor.run(async () => 1, never);
  let called = false;
  const refused = governor.run(async () => {
    called = true;
  }, never);
  await expect(refused).rejects.toMatchObject({ name: 'BusyError', retryAfterMs: 60_000 });
  expect(called).toBe(false);
});

test('a busy provider is left alone by all', async () => {
  const { governor, time } = setup();
  await failWith(governor, new BusyError('429', 7_000));
  await expect(governor.run(async () => 1, never)).rejects.toMatchObject({
    name: 'BusyError',
    retryAfterMs: 7_000,
  });
  time.now += 7_000;
  expect(await governor.run(async () => 1, never)).toBe(1);
});

test('those who wait come back one after the other', async () => {
  const store = openMemoryStore(() => 1_000);
  const draws = [0, 0.5, 1];
  const random = () => draws.shift() ?? 0;
  const governor = openGovernor({ provider: 'ocr', limits, store, random });
  await store.settle('ocr', limits, { kind: 'busy', probe: false, pauseMs: 20_000 });
  const waits = [];
  for (let i = 0; i < 3; i++) waits.push(await failWith(governor, new Error('not called')));
  expect(waits).toMatchObject([
    { retryAfterMs: 20_000 },
    { retryAfterMs: 25_000 },
    { retryAfterMs: 30_000 },
  ]);
});

test('failures open the breaker, and its errors are waits', async () => {
  const { governor, time } = setup();
  for (let i = 0; i < limits.failures; i++) await failWith(governor, new Error('500'));
  await expect(governor.run(async () => 1, never)).rejects.toMatchObject({
    name: 'BusyError',
    retryAfterMs: 5_000,
  });
  time.now += 5_000;
  expect(await governor.run(async () => 1, never)).toBe(1);
  expect(await governor.run(async () => 2, never)).toBe(2);
});

test.each([
  ['a refused document', new PermanentError('INVALID_FILE', 'no PDF'), never],
  ['an abort', new Error('stopped'), AbortSignal.abort()],
])('%s is not the fault of the provider', async (_, error, signal) => {
  const { governor } = setup();
  for (let i = 0; i < limits.failures; i++)
    expect(await failWith(governor, error, signal)).toBe(error);
  expect(await governor.run(async () => 1, never)).toBe(1);
});

test('throttling by a vendor costs one call, not one a document', async () => {
  const faults = (): OpenAiFault => ({
    kind: 'status',
    status: 429,
    headers: { 'retry-after': '9' },
  });
  const simulator = await startOpenAiSimulator({ faults });
  const settings = { apiKey: 'sk-test', model: 'mill-1', baseUrl: simulator.baseUrl };
  const extractor = openOpenAi(settings, setup().governor);
  for (let i = 0; i < 5; i++) {
    await expect(extractor.extract(plainInvoice(), invoiceSchema, never)).rejects.toMatchObject({
      retryAfterMs: 9_000,
    });
  }
  expect(simulator.tally.total).toBe(1);
  await extractor.close();
  await simulator.close();
});
