import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makePdf, readerContract } from '../../../../test/contract/ocr.ts';
import { encryptedPdf } from '../../../../test/kit/bad-files.ts';
import type { Page } from '../../../domain/transcription.ts';
import { BusyError, PermanentError, SetupError } from '../../../errors.ts';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import type { DocumentAiFault } from '../../../simulators/documentai/fault.ts';
import {
  type DocumentAiSimulator,
  type DocumentAiSimulatorOptions,
  startDocumentAiSimulator,
} from '../../../simulators/documentai/index.ts';
import { inOrder } from '../../../simulators/faults.ts';
import type { Governor } from '../../governor/index.ts';
import { patience } from '../../retry-after.ts';
import type { Reader, SourceFile } from '../port.ts';
import { openDocumentAi } from './index.ts';
import { openPdfIn } from './pdf.ts';
import type { DocumentAiSettings } from './settings.ts';

const processor = 'projects/p/locations/eu/processors/abc/processorVersions/v2';
const never = new AbortController().signal;
let folder: string;
const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
const open = (settings: DocumentAiSettings, governor?: Governor) =>
  openDocumentAi(settings, openPdfIn(sandbox, 60_000), governor);
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documentai-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function setup(
  simulated: DocumentAiSimulatorOptions = {},
  settings: Partial<DocumentAiSettings> = {},
  governor?: Governor,
): Promise<{ reader: Reader; simulator: DocumentAiSimulator }> {
  const simulator = await startDocumentAiSimulator(simulated);
  const address = { endpoint: simulator.host, port: simulator.port, plaintext: true };
  const reader = open({ processor, ...address, ...settings }, governor);
  closers.push(simulator.close, () => reader.close());
  return { reader, simulator };
}

async function save(bytes: Uint8Array, mediaType = 'application/pdf'): Promise<SourceFile> {
  const path = join(folder, createHash('sha256').update(bytes).digest('hex'));
  await writeFile(path, bytes);
  return { path, mediaType };
}

describe('against the simulator', () => {
  let simulator: DocumentAiSimulator;
  beforeAll(async () => {
    simulator = await startDocumentAiSimulator();
  });
  afterAll(() => simulator.close());
  readerContract('documentai', () =>
    open({ processor, endpoint: simulator.host, port: simulator.port, plaintext: true }),
  );
});

test('names the processor and its version', () => {
  expect(open({ processor }).engine).toBe('documentai/abc@v2');
});

test('a name that is no processor is refused at once', () => {
  expect(() => open({ processor: 'abc' })).toThrow(SetupError);
});

test('an encrypted PDF is sent opened, if its password is known', async () => {
  const { reader, simulator } = await setup();
  const file = await save(await encryptedPdf());
  const { pages } = await reader.read({ ...file, password: 'open sesame' }, never);
  expect(pages.map(({ text }) => text)).toEqual(['Secret']);
  await expect(reader.read({ ...file, password: 'guess' }, never)).rejects.toMatchObject({
    code: 'PASSWORD_PROTECTED',
  });
  expect(simulator.tally.total).toBe(1);
});

describe('long documents', () => {
  const texts = Array.from({ length: 8 }, (_, i) => `page ${i + 1}`);

  test('are asked for in ranges, and put together without a gap', async () => {
    const { reader, simulator } = await setup({ maxPages: 3 }, { maxPages: 3, concurrency: 2 });
    const { pages } = await reader.read(await save(await makePdf(...texts)), never);
    expect(pages.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(pages.map(({ text }) => text)).toEqual(texts);
    expect([simulator.tally.total, simulator.tally.repeated]).toEqual([3, 0]);
  });

  test('are cut into files when they are too large', async () => {
    const bytes = await makePdf(...texts);
    const { reader, simulator } = await setup({}, { maxBytes: bytes.length - 1, maxPages: 3 });
    const { pages } = await reader.read(await save(bytes), never);
    expect(pages.map(({ number, text }) => `${number} ${text}`)).toEqual(
      texts.map((text, i) => `${i + 1} ${text}`),
    );
    expect(simulator.tally.total).toBe(4);
  });

  test('are refused when one page alone is too large', async () => {
    const { reader } = await setup({}, { maxBytes: 100 });
    await expect(reader.read(await save(await makePdf('a', 'b')), never)).rejects.toMatchObject({
      code: 'PROVIDER_REFUSED',
    });
  });

  test('need to be admitted a request at a time, and one that is not stops no other', async () => {
    let asked = 0;
    const governor: Governor = {
      async run(call) {
        if (++asked === 2) throw new BusyError('The limit of requests per minute is reached.', 1);
        return call();
      },
    };
    const { reader, simulator } = await setup({}, { maxPages: 3, concurrency: 2 }, governor);
    const { pages } = await reader.read(await save(await makePdf(...texts)), never);
    expect(pages.map(({ text }) => text)).toEqual(texts);
    expect([asked, simulator.tally.total, simulator.tally.repeated]).toEqual([4, 3, 0]);
  });

  test('stop at the first failure', async () => {
    const faults = inOrder<DocumentAiFault>({ kind: 'error', code: 'INTERNAL' });
    const { reader, simulator } = await setup({ faults }, { maxPages: 1, concurrency: 1 });
    await expect(reader.read(await save(await makePdf(...texts)), never)).rejects.toThrow(
      'INTERNAL',
    );
    expect(simulator.tally.total).toBe(1);
  });
});

test('scripted pages come back as they were written', async () => {
  const page: Page = {
    number: 1,
    width: 800,
    height: 400,
    text: '🧾 Straße 𝔘𝔫𝔦 12',
    words: ['🧾', 'Straße', '𝔘𝔫𝔦', '12'].map((text, i) => ({
      text,
      box: [100 * i, 40, 100 * i + 80, 60],
      confidence: 0.5,
    })),
    quality: { score: 0.25, defects: ['blurry', 'dark', 'low-contrast'] },
    native: false,
  };
  const scan = Buffer.from('a scan');
  const hash = createHash('sha256').update(scan).digest('hex');
  const { reader } = await setup({ pages: new Map([[hash, [page]]]) });
  const { pages } = await reader.read(await save(scan, 'image/png'), never);
  const [read] = pages;
  expect(read?.text).toBe(page.text);
  expect(read?.quality.score).toBeCloseTo(0.25);
  expect(read?.quality.defects.toSorted()).toEqual(['blurry', 'dark', 'low-contrast']);
  expect(read?.words.map(({ text }) => text)).toEqual(page.words.map(({ text }) => text));
  expect(read?.words[3]?.box.map(Math.round)).toEqual([300, 40, 380, 60]);
});

describe('errors', () => {
  async function failure(
    fault: DocumentAiFault,
    settings: Partial<DocumentAiSettings> = {},
  ): Promise<unknown> {
    const { reader, simulator } = await setup({ faults: inOrder(fault) }, settings);
    const error = await reader
      .read(await save(await makePdf('x')), never)
      .catch((caught: unknown) => caught);
    expect(simulator.tally.total, 'calls').toBe(1);
    return error;
  }

  test.each<[string, DocumentAiFault, number]>([
    ['a used-up quota', { kind: 'error', code: 'RESOURCE_EXHAUSTED', retryAfter: '42' }, 42_000],
    [
      'a used-up quota without a time',
      { kind: 'error', code: 'RESOURCE_EXHAUSTED' },
      patience.unaskedMs,
    ],
    ['unavailable for a time', { kind: 'error', code: 'UNAVAILABLE', retryAfter: '5' }, 5_000],
  ])('%s is a wait', async (_, fault, retryAfterMs) => {
    const error = await failure(fault);
    expect(error).toBeInstanceOf(BusyError);
    expect(error).toMatchObject({ retryAfterMs });
  });

  test.each([
    ['The PDF is password protected.', 'PASSWORD_PROTECTED'],
    ['Document pages exceed the limit: 15 got 31', 'TOO_MANY_PAGES'],
    ['Unsupported input file format.', 'UNSUPPORTED_TYPE'],
    ['Unable to parse the file: it is corrupted.', 'INVALID_FILE'],
    ['Request contains an invalid argument.', 'PROVIDER_REFUSED'],
  ])('"%s" is %s for good', async (message, code) => {
    const error = await failure({ kind: 'error', code: 'INVALID_ARGUMENT', message });
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ code });
  });

  test.each(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND'] as const)(
    '%s says what to check',
    async (code) => {
      const error = await failure({ kind: 'error', code });
      expect(error).toBeInstanceOf(SetupError);
    },
  );

  test.each(['INTERNAL', 'UNAVAILABLE', 'UNKNOWN', 'DEADLINE_EXCEEDED'] as const)(
    '%s is tried again',
    async (code) => {
      const error = await failure({ kind: 'error', code });
      expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining(code) });
    },
  );

  test('silence ends at the deadline', async () => {
    const error = await failure({ kind: 'silent' }, { timeoutMs: 1_500 });
    expect(error).toMatchObject({
      name: 'Error',
      message: expect.stringMatching(/no response|DEADLINE/),
    });
  });

  test('an account that is not there says what to check, and is looked for again', async () => {
    const keyFile = join(folder, 'absent.json');
    const reader = open({ processor, endpoint: '127.0.0.1', credentials: { keyFile } });
    const file = await save(await makePdf('x'));
    await expect(reader.read(file, never)).rejects.toBeInstanceOf(SetupError);
    await expect(reader.read(file, never)).rejects.toThrow('absent.json');
    await reader.close();
  });

  test('nobody there is tried again', async () => {
    const { reader, simulator } = await setup({}, { timeoutMs: 500 });
    await simulator.close();
    await expect(reader.read(await save(await makePdf('x')), never)).rejects.toMatchObject({
      name: 'Error',
    });
  });

  test('an abort ends a call that is not answered', async () => {
    const stop = new AbortController();
    const faults = (): DocumentAiFault => {
      stop.abort(new Error('stopped by the test'));
      return { kind: 'silent' };
    };
    const { reader } = await setup({ faults });
    await expect(reader.read(await save(await makePdf('x')), stop.signal)).rejects.toThrow(
      'stopped by the test',
    );
  });
});

describe('the price', () => {
  const pricePerPage = 0.0015;
  const costly = { pricePerPage, pauseMs: 1 };

  test('is that of every page, and known before', async () => {
    const { reader } = await setup({ maxPages: 2 }, { pricePerPage, maxPages: 2 });
    const file = await save(await makePdf('a', 'b', 'c'));
    const charges: number[] = [];
    expect(await reader.quote?.(file, never)).toBe(4_500);
    await reader.read(file, never, (micros) => charges.push(micros));
    expect(charges.toSorted()).toEqual([1_500, 3_000]);
  });

  test('is due once for each part: one that fails or is refused for a moment is asked for again alone', async () => {
    const faults = inOrder<DocumentAiFault>(
      undefined,
      { kind: 'error', code: 'INTERNAL' },
      { kind: 'error', code: 'RESOURCE_EXHAUSTED', retryAfter: '0' },
    );
    const { reader, simulator } = await setup(
      { faults },
      { ...costly, maxPages: 1, concurrency: 1 },
    );
    const charges: number[] = [];
    const file = await save(await makePdf('a', 'b', 'c'));
    const { pages } = await reader.read(file, never, (micros) => charges.push(micros));
    expect(pages.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect([charges, simulator.tally.total]).toEqual([[1_500, 1_500, 1_500], 5]);
  });

  test.each<[string, DocumentAiFault, number]>([
    ['that fails for good', { kind: 'error', code: 'INTERNAL' }, 4],
    [
      'that asks for a long rest',
      { kind: 'error', code: 'RESOURCE_EXHAUSTED', retryAfter: '120' },
      2,
    ],
    ['that refuses a part', { kind: 'error', code: 'INVALID_ARGUMENT' }, 2],
  ])('is not waited for with a vendor %s', async (_, fault, calls) => {
    const faults = inOrder<DocumentAiFault>(undefined, fault, fault, fault, fault);
    const { reader, simulator } = await setup(
      { faults },
      { ...costly, maxPages: 1, concurrency: 1 },
    );
    await expect(reader.read(await save(await makePdf('a', 'b')), never)).rejects.toThrow(
      'Document AI returned',
    );
    expect(simulator.tally.total).toBe(calls);
  });

  test('is also due for what was answered before the rest failed', async () => {
    const fault: DocumentAiFault = { kind: 'error', code: 'INTERNAL' };
    const faults = inOrder<DocumentAiFault>(undefined, fault, fault, fault);
    const { reader } = await setup({ faults }, { ...costly, maxPages: 1, concurrency: 1 });
    const charges: number[] = [];
    const reading = reader.read(await save(await makePdf('a', 'b')), never, (micros) =>
      charges.push(micros),
    );
    await expect(reading).rejects.toThrow('INTERNAL');
    expect(charges).toEqual([1_500]);
  });

  test.each([
    ['an image', Buffer.from('a scan'), 'image/png', 1_500],
    ['what only the vendor can open', Buffer.from('%PDF-1.7'), 'application/pdf', 15 * 1_500],
  ])('of %s', async (_, bytes, mediaType, micros) => {
    const { reader } = await setup({}, { pricePerPage });
    expect(await reader.quote?.(await save(bytes, mediaType), never)).toBe(micros);
  });
});

describe('what is not sent', () => {
  test.each([
    ['an empty file', '', 'application/pdf', 'EMPTY_FILE'],
    ['a type the vendor does not read', 'hello', 'text/plain', 'UNSUPPORTED_TYPE'],
  ])('%s', async (_, content, mediaType, code) => {
    const { reader, simulator } = await setup();
    await expect(
      reader.read(await save(Buffer.from(content), mediaType), never),
    ).rejects.toMatchObject({ code });
    expect(simulator.tally.total).toBe(0);
  });
});
