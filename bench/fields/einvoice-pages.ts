import path from 'node:path';
import { recognise } from '../../src/domain/document-type.ts';
import { judge } from '../../src/domain/gate.ts';
import { knownTypes } from '../../src/domain/known-types.ts';
import { schemas } from '../../src/domain/schemas/index.ts';
import type { Transcription } from '../../src/domain/transcription.ts';
import { openLocalExtractor } from '../../src/providers/llm/local.ts';
import { openLocalReader } from '../../src/providers/ocr/local.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { readJsonLines } from '../../test/kit/corpora.ts';
import { fieldNames, truths } from './einvoices.ts';

/** The pages of hybrid e-invoices, read as if they carried no data, against what that data says. */
export async function measurePages(corpora: string) {
  const all = truths.parse(await readJsonLines(path.join(corpora, 'truth/einvoices.jsonl')));
  const hybrid = all.filter(({ mime, truth }) => mime === 'application/pdf' && truth.format !== undefined);
  const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
  const limits = { maxPages: 20, maxPixels: 40_000_000, languages: [], pageTimeoutMs: 60_000 };
  const reader = openLocalReader({ sandbox, ...limits });
  const rows: Awaited<ReturnType<typeof measure>>[] = [];
  try {
    for (const { file, mime, truth } of hybrid) {
      const source = { path: path.join(corpora, 'einvoices', file), mediaType: mime };
      const read = await reader.read(source, AbortSignal.timeout(60_000));
      rows.push(await measure(file, { ...read, embedded: [] }, truth));
    }
  } finally {
    await sandbox.close();
  }
  const passed = rows.filter(({ valid }) => valid);
  const names = Object.keys(fieldNames);
  return {
    files: rows.length,
    fields: Object.fromEntries(
      names.map((name) => [name, { right: rows.filter(({ wrong }) => !wrong.has(name)).length, f1: f1Of(name, rows) }]),
    ),
    passed: passed.length,
    right: passed.filter(({ wrong }) => !wrong.has('gross') && !wrong.has('date')).length,
    misses: rows.flatMap(({ misses }) => misses),
  };
}

async function measure(file: string, pages: Transcription, truth: Readonly<Record<string, unknown>>) {
  const schema = recognise(pages, knownTypes()) ?? schemas.generic;
  const answer = await openLocalExtractor().extract(pages, schema, AbortSignal.timeout(60_000));
  const { valid, reasons } = judge(answer, pages, schema);
  const wrong = new Set<string>();
  const misses = [`${file} ${valid ? 'passes' : reasons.join('; ')}`];
  for (const [name, field] of Object.entries(fieldNames)) {
    const value = answer.fields[field] ?? null;
    if (value === (truth[name] ?? null)) continue;
    wrong.add(name);
    misses.push(`${file} ${name}: ${JSON.stringify(value)} instead of ${JSON.stringify(truth[name])}`);
  }
  const given = Object.entries(fieldNames).flatMap(([name, field]) => (answer.fields[field] == null ? [] : [name]));
  const wanted = Object.keys(fieldNames).filter((name) => truth[name] != null);
  return { valid, wrong, misses, given: new Set(given), wanted: new Set(wanted) };
}

/** Twice what is right, over what was given and what was wanted. */
function f1Of(name: string, rows: readonly Awaited<ReturnType<typeof measure>>[]): number {
  const right = rows.filter(({ wrong, wanted }) => wanted.has(name) && !wrong.has(name)).length;
  const given = rows.filter((row) => row.given.has(name)).length;
  const wanted = rows.filter((row) => row.wanted.has(name)).length;
  return (2 * right) / Math.max(1, given + wanted);
}
