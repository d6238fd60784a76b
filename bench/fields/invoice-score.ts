import { knownTypes } from '../../src/domain/known-types.ts';
import { schemas } from '../../src/domain/schemas/index.ts';
import type { Transcription } from '../../src/domain/transcription.ts';
import { openLocalExtractor } from '../../src/extraction/local.ts';
import { recognise } from '../../src/understanding/document-type.ts';
import { judge } from '../../src/understanding/gate/index.ts';
import { fieldNames } from './einvoices.ts';

interface Row {
  valid: boolean;
  wrong: ReadonlySet<string>;
  misses: readonly string[];
  given: ReadonlySet<string>;
  wanted: ReadonlySet<string>;
}

/** The known true values of an invoice. Fields that are absent are not scored. */
export type InvoiceTruth = Readonly<Record<string, unknown>>;

/** Reads and judges one invoice like the pipeline, and compares it with the true values. */
export async function scoreInvoice(
  name: string,
  pages: Transcription,
  truth: InvoiceTruth,
): Promise<Row> {
  const schema = recognise(pages, knownTypes()) ?? schemas.generic;
  const answer = await openLocalExtractor().extract(pages, schema, AbortSignal.timeout(60_000));
  const { valid, reasons } = judge(answer, pages, schema);
  const known = Object.entries(fieldNames).filter(([label]) => truth[label] !== undefined);
  const values = known.map(([label, field]) => [label, answer.fields[field] ?? null] as const);
  const wrong = values.filter(([label, value]) => value !== truth[label]);
  return {
    valid,
    wrong: new Set(wrong.map(([label]) => label)),
    misses: [
      `${name} ${valid ? 'passes' : reasons.join('; ')}`,
      ...wrong.map(
        ([label, value]) => `${name} ${label}: ${told(value)} instead of ${told(truth[label])}`,
      ),
    ],
    given: new Set(values.flatMap(([label, value]) => (value === null ? [] : [label]))),
    wanted: new Set(values.flatMap(([label]) => (truth[label] === null ? [] : [label]))),
  };
}

export function scoresOf(rows: readonly Row[]) {
  const passed = rows.filter(({ valid }) => valid);
  return {
    files: rows.length,
    fields: Object.fromEntries(
      Object.keys(fieldNames).map((label) => [label, { f1: f1Of(label, rows) }]),
    ),
    passed: passed.length,
    right: passed.filter(({ wrong }) => !wrong.has('gross') && !wrong.has('date')).length,
    suppliers: passed.filter(({ wrong }) => !wrong.has('seller')).length,
    misses: rows.flatMap(({ misses }) => misses),
  };
}

/** F1: twice the correct values, divided by the extracted plus the expected values. */
function f1Of(label: string, rows: readonly Row[]): number {
  const right = rows.filter(({ wrong, wanted }) => wanted.has(label) && !wrong.has(label)).length;
  const given = rows.filter((row) => row.given.has(label)).length;
  const wanted = rows.filter((row) => row.wanted.has(label)).length;
  return (2 * right) / Math.max(1, given + wanted);
}

function told(value: unknown): string {
  return JSON.stringify(value);
}
