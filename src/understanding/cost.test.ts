import { describe, expect, test } from 'vitest';
import {
  ciiInvoice,
  oneLine,
  oneWord,
  printedInvoice,
  prose,
  smallTags,
  textInvoice,
  transcribedText,
  transcribedXml,
  ublInvoice,
} from '../../test/kit/long-documents.ts';
import { knownTypes } from '../domain/known-types.ts';
import { schemas } from '../domain/schemas/index.ts';
import type { Transcription } from '../domain/transcription.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import { recognise } from './document-type.ts';
import { judge } from './gate/index.ts';

const { signal } = new AbortController();

async function understand(transcription: Transcription) {
  const schema = recognise(transcription, knownTypes()) ?? schemas.generic;
  const extraction = await openLocalExtractor().extract(transcription, schema, signal);
  return { schema, extraction, verdict: judge(extraction, transcription, schema) };
}

/** CPU milliseconds, the least of several runs: other work on the machine only adds to it. */
async function costOf(
  make: () => Transcription,
  work: (transcription: Transcription) => unknown = understand,
): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const transcription = make();
    const before = process.cpuUsage();
    await work(transcription);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

const invoices: Record<string, (lines: number) => Transcription> = {
  text: (lines) => transcribedText(textInvoice(lines)),
  'words with boxes': printedInvoice,
  UBL: (lines) => transcribedXml(ublInvoice(lines)),
  CII: (lines) => transcribedXml(ciiInvoice(lines)),
};

describe.each(Object.entries(invoices))('an invoice as %s', (_, make) => {
  test('is understood however long it is', async () => {
    const { schema, extraction, verdict } = await understand(make(1500));
    expect(schema.name).toBe('invoice');
    expect(extraction.fields.line_items).toHaveLength(1500);
    expect(verdict).toMatchObject({ valid: true, reasons: [] });
  });

  test('costs in proportion to its length', async () => {
    await costOf(() => make(200));
    const [once, fourTimes] = [await costOf(() => make(500)), await costOf(() => make(2000))];
    // Four times the lines cost sixteen times as much if any step is quadratic.
    expect(fourTimes / once).toBeLessThan(9);
  });
});

test('checking the rows of a table costs in proportion to their number', async () => {
  const costOfGate = async (lines: number) => {
    const { schema, extraction } = await understand(printedInvoice(lines));
    return costOf(
      () => printedInvoice(lines),
      (transcription) => judge(extraction, transcription, schema),
    );
  };
  // In a long table, the tax rate of every row has neighbours that differ by one cent.
  const [once, eightTimes] = [await costOfGate(1000), await costOfGate(8000)];
  // 64 times as much if it is quadratic.
  expect(eightTimes / once).toBeLessThan(20);
});

test.each([
  ['one line of 220 kB', () => transcribedText(oneLine(220_000))],
  ['one word of 220 kB', () => transcribedText(oneWord(220_000))],
  ['9 MB of small elements', () => transcribedXml(smallTags(9_000_000))],
  ['9 MB of opening brackets', () => transcribedXml(`<Invoice>${'<'.repeat(9_000_000)}`)],
  ['10 MB of prose', () => transcribedText(prose(10_000_000))],
])('%s are understood in seconds', async (_, make) => {
  const before = process.cpuUsage();
  await understand(make()).catch((error) => expect(error).toHaveProperty('code', 'INVALID_FILE'));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(20);
});

test('of a text longer than any invoice, the beginning and the end are read', async () => {
  const [head = '', tail = ''] = textInvoice(3).split('Subtotal');
  const text = `${head}${prose(3_000_000)}\nSubtotal${tail}`;
  const { schema, extraction } = await understand(transcribedText(text));
  expect(schema.name).toBe('invoice');
  expect(extraction.fields).toMatchObject({ invoice_number: 'INV-2026-0042', currency: 'EUR' });
  expect(extraction.fields.total).toBeGreaterThan(0);
});
