import { describe, expect, test } from 'vitest';
import type { MadeInvoice } from '../../../test/kit/invoices/invoice.ts';
import { labelsAbove } from '../../../test/kit/invoices/labels-above.ts';
import { labelsBeside } from '../../../test/kit/invoices/labels-beside.ts';
import { tables } from '../../../test/kit/invoices/tables.ts';
import { plain, typeset } from '../../../test/kit/pages.ts';
import { knownTypes } from '../../domain/known-types.ts';
import { schemas } from '../../domain/schemas/index.ts';
import type { Page } from '../../domain/transcription.ts';
import { openLocalExtractor } from '../../extraction/local.ts';
import { recognise } from '../document-type.ts';
import { judge } from '../gate/index.ts';

const now = new Date('2025-12-01');
const invoices = [...labelsBeside, ...labelsAbove, ...tables];

async function read({ pages }: MadeInvoice, set: (text: string) => Page) {
  const numbered = pages.map((text, i) => ({ ...set(text.slice(1)), number: i + 1 }));
  const transcription = { engine: 'test/1', pages: numbered, embedded: [], problems: [] };
  const schema = recognise(transcription, knownTypes()) ?? schemas.generic;
  const extraction = await openLocalExtractor().extract(
    transcription,
    schema,
    new AbortController().signal,
  );
  const { reasons } = judge(extraction, transcription, schema, now);
  return { schema: schema.name, fields: extraction.fields, reasons };
}

describe.each([
  ['from the file', (text: string) => typeset(text, { native: true })],
  ['recognised', (text: string) => typeset(text)],
  ['as plain text', (text: string) => plain(text, { native: true })],
])('%s', (_, set) => {
  test.each(invoices)('$language', async (invoice) => {
    const { schema, fields, reasons } = await read(invoice, set);
    expect({ schema, reasons }).toEqual({ schema: 'invoice', reasons: [] });
    expect(fields).toMatchObject(invoice.truth);
  });
});
