import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../../test/kit/pages.ts';
import { policy, policyData, policyText } from '../../../test/kit/policy.ts';
import type { SchemaDefinition } from '../../domain/schema/definition.ts';
import { schemaDefinition } from '../../domain/schema/index.ts';
import type { Page } from '../../domain/transcription.ts';
import { openLocalExtractor } from '../../extraction/local.ts';
import { judge } from '../gate/index.ts';

const now = new Date('2026-06-01');

async function read(page: Page, definition: SchemaDefinition = policy) {
  const schema = { ...definition, name: 'policy', version: 1 };
  const transcription = transcriptionOf(page);
  const extraction = await openLocalExtractor().extract(
    transcription,
    schema,
    new AbortController().signal,
  );
  return { ...extraction, verdict: judge(extraction, transcription, schema, now) };
}

const changed = (from: string | RegExp, to: string) => typeset(policyText.replace(from, to));

describe('a schema of labels', () => {
  test.each([
    ['with boxes', typeset(policyText)],
    ['as plain text', plain(policyText)],
  ])('is read from a page %s, and passes the gate', async (_, page) => {
    const { fields, verdict, confidence, extraction_successful } = await read(page);
    expect(fields).toEqual(policyData);
    expect(verdict.reasons).toEqual([]);
    expect({ confidence, extraction_successful }).toEqual({
      confidence: 'high',
      extraction_successful: true,
    });
  });

  test('keeps where each value stands', async () => {
    const { evidence } = await read(typeset(policyText));
    expect(evidence.policy_number).toEqual({
      page: 1,
      text: 'POL-104711',
      box: [150, 60, 250, 80],
    });
    expect(evidence.premium).toMatchObject({ text: '1,190.00 EUR' });
  });

  test('finds values below their labels, set in columns', async () => {
    const page = typeset(
      [
        'Insurance policy',
        'Policy number     Start date      Policyholder',
        'POL-104711        1 March 2026    Jane Miller',
      ].join('\n'),
    );
    expect((await read(page)).fields).toMatchObject({
      policy_number: 'POL-104711',
      start_date: '2026-03-01',
      holder: 'Jane Miller',
      date: null,
    });
  });

  test('finds labels of another language, misread and in running lines', async () => {
    const text =
      'VERSICHERUNGSNUMMEK POL-104711 Versicherungsnehmer: Jane Miller\nJahresprämie 1.190,00 EUR';
    expect((await read(plain(text))).fields).toMatchObject({
      policy_number: 'POL-104711',
      holder: 'Jane Miller',
      premium: 1190,
    });
  });

  test('ends a value where the next label begins, beside it or in the columns of a table', async () => {
    const beside = plain('Policyholder: Jane Miller Date: 2026-02-03');
    const table = typeset('Policyholder     Date\nJane Miller      2026-02-03');
    for (const page of [beside, table])
      expect((await read(page)).fields).toMatchObject({
        holder: 'Jane Miller',
        date: '2026-02-03',
      });
  });

  test('prefers what stands beside a label to what stands below it', async () => {
    const page = typeset('Policyholder Jane Miller\n12 Mill Lane');
    expect((await read(page)).fields).toMatchObject({ holder: 'Jane Miller' });
  });

  test('takes no words of running text for a value', async () => {
    const text = 'the policyholder shall pay the annual premium in time';
    expect((await read(plain(text))).fields).toMatchObject({ holder: null, premium: null });
  });
});

describe('the gate, for a schema of labels', () => {
  test.each([
    ['a critical field is missing', /Policyholder.*\n/, '', 'holder is missing'],
    [
      'a sum is wrong',
      '190.00 EUR\nAnnual',
      '191.00 EUR\nAnnual',
      'the sum of net_premium + tax is 1191, but premium is 1190',
    ],
    [
      'an order is wrong',
      '2031-02-28',
      '2025-02-28',
      'start_date (2026-03-01) is after end_date (2025-02-28)',
    ],
    [
      'a date is implausible',
      '2026-03-01',
      '2032-03-01',
      'start_date is more than a year in the future',
    ],
    [
      'a label names two values',
      'Date:',
      'Policyholder: John Smith\nDate:',
      'holder may also be John Smith',
    ],
    [
      'day and month may be swapped',
      policyText,
      'Policy\nDate: 02/03/2026',
      'date may have day and month swapped',
    ],
  ])('says that %s', async (_, from, to, reason) => {
    expect((await read(changed(from, to))).verdict).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([reason]),
    });
  });

  const judged = async (fields: Record<string, unknown>, text = policyText) => {
    const transcription = transcriptionOf(typeset(text));
    const schema = { ...policy, name: 'policy', version: 1 };
    const extraction = await openLocalExtractor().extract(
      transcription,
      schema,
      new AbortController().signal,
    );
    return judge(
      { ...extraction, fields: { ...extraction.fields, ...fields } },
      transcription,
      schema,
      now,
    ).reasons;
  };

  test('believes the label, not the extractor', async () => {
    expect(await judged({ premium: 1000 })).toContain(
      'premium differs from the value printed at its label, "1190"',
    );
  });

  test('takes a title over a total for one, in a type that has both', async () => {
    const fields = { title: { kind: 'text', description: '' } } as const;
    const { verdict } = await read(typeset('Lease\nTotal 9.90'), {
      ...policy,
      fields,
      critical: ['title'],
      rules: [],
    });
    expect(verdict.reasons).toEqual([]);
  });

  test('asks for the form of a text', async () => {
    expect(await judged({ policy_number: '104711' })).toEqual([
      'policy_number does not match the pattern of the field',
    ]);
  });
});

test('the example of the documentation is what it says', async () => {
  const page = await readFile(new URL('../../../docs/schemas.md', import.meta.url), 'utf8');
  const [definition = '', text = '', data = ''] = [
    ...page.matchAll(/```(?:json|text)\n(.*?)```/gs),
  ].map(([, block = '']) => block);
  const { fields, verdict } = await read(
    plain(text),
    schemaDefinition.parse(JSON.parse(definition)),
  );
  expect(fields).toEqual(JSON.parse(data));
  expect(verdict.valid).toBe(true);
});
