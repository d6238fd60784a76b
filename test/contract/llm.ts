import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extraction } from '../../src/domain/extraction.ts';
import { type DocumentSchema, documentSchema } from '../../src/domain/schema/index.ts';
import { type Transcription, transcription } from '../../src/domain/transcription.ts';
import type { Extractor } from '../../src/extraction/port.ts';

export interface Case {
  /** A schema for invoices. */
  schema: DocumentSchema;
  /** The content of the plain invoice, in the fields of the schema. */
  stated: Record<string, unknown>;
}

/** Requirements for every extractor. */
export function extractorContract(
  name: string,
  open: () => Extractor | Promise<Extractor>,
  { schema, stated }: Case = simplest(),
): void {
  describe(`${name} keeps the contract of extractors`, () => {
    let extractor: Extractor;
    const never = new AbortController().signal;
    beforeAll(async () => {
      extractor = await open();
    });
    afterAll(() => extractor.close());

    test('answers in the common model', async () => {
      const answer = await extractor.extract(plainInvoice(), schema, never);
      expect(() => extraction.parse(answer)).not.toThrow();
      expect(answer.schema).toBe(schema.name);
      expect(answer.model).not.toBe('');
    });

    test('finds what a plain invoice says', async () => {
      const answer = await extractor.extract(plainInvoice(), schema, never);
      expect(answer.extraction_successful).toBe(true);
      expect(answer.fields).toMatchObject(stated);
    });

    test('knows only fields of the schema, typed as it says', async () => {
      const { fields } = await extractor.extract(plainInvoice(), schema, never);
      for (const [field, value] of Object.entries(fields)) {
        expect(Object.keys(schema.fields)).toContain(field);
        if (value !== null) expect(typeof value, field).toBe(typeOf(schema, field));
      }
    });

    test('every field is either there or missing', async () => {
      const { fields, missing_fields } = await extractor.extract(plainInvoice(), schema, never);
      const there = Object.keys(fields).filter((field) => fields[field] !== null);
      expect([...there, ...missing_fields].sort()).toEqual(Object.keys(schema.fields).sort());
    });

    test('has no success with a document that says nothing', async () => {
      const answer = await extractor.extract(makeTranscription(''), schema, never);
      expect(answer.missing_fields.toSorted()).toEqual(Object.keys(schema.fields).sort());
      expect(answer.extraction_successful).toBe(false);
    });

    test('does not begin when told to stop', async () => {
      await expect(
        extractor.extract(plainInvoice(), schema, AbortSignal.abort()),
      ).rejects.toThrow();
    });

    test('has one name, and is closed as often as one likes', async () => {
      const another = await open();
      expect(another.engine).toBe(extractor.engine);
      await another.close();
      await expect(another.close()).resolves.toBeUndefined();
    });
  });
}

export const invoiceSchema: DocumentSchema = documentSchema.parse({
  name: 'invoice',
  version: 1,
  title: 'Invoice',
  fields: {
    invoice_number: { kind: 'text', description: 'Number the supplier gave the invoice' },
    invoice_date: { kind: 'date', description: 'Date of issue' },
    currency: { kind: 'currency', description: 'Currency of the amounts' },
    total: { kind: 'amount', description: 'Amount due, with VAT' },
    iban: { kind: 'iban', description: 'Account to pay to' },
  },
  critical: ['invoice_number', 'total'],
  rules: [],
  prompt: 'Read the invoice below.',
});

export function makeTranscription(...texts: string[]): Transcription {
  return transcription.parse({
    engine: 'test/1',
    pages: texts.map((text, i) => ({
      number: i + 1,
      width: 0,
      height: 0,
      text,
      words: [],
      quality: { score: 1, defects: [] },
      native: true,
    })),
  });
}

export function plainInvoice(): Transcription {
  return makeTranscription(
    [
      'Example Ltd, 1 Mill Lane',
      'INVOICE',
      'Invoice number: RE-2026-0815',
      'Invoice date: 2026-03-14',
      'Milling of grain 2 50.00 100.00',
      'Subtotal: 100.00 EUR',
      'VAT 19 %: 19.00 EUR',
      'Total: 119.00 EUR',
      'IBAN: DE89 3704 0044 0532 0130 00',
    ].join('\n'),
  );
}

function simplest(): Case {
  return {
    schema: invoiceSchema,
    stated: {
      invoice_number: 'RE-2026-0815',
      invoice_date: '2026-03-14',
      currency: 'EUR',
      total: 119,
    },
  };
}

function typeOf({ fields }: DocumentSchema, name: string): string {
  const kind = fields[name]?.kind;
  return kind === 'amount' ? 'number' : kind === 'lines' ? 'object' : 'string';
}
