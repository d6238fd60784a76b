import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { textInvoice, transcribedText } from '../../test/kit/long-documents.ts';
import { schemas } from '../domain/schemas/index.ts';
import { openSandbox } from './sandbox.ts';

const patient = { timeoutMs: 60_000 };

async function setup() {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
  onTestFinished(() => sandbox.close());
  const path = join(directory, 'transcription');
  const value = transcribedText(textInvoice(5));
  await writeFile(path, gzipSync(JSON.stringify({ source: 'made', value })));
  return { directory, sandbox, path };
}

test('a document is recognised, extracted and judged from its file', async () => {
  const { sandbox, path } = await setup();
  const types = Object.values(schemas);
  expect(await sandbox.run('understanding.recognise', { path, types }, patient)).toBe('invoice');
  const schema = schemas.invoice;
  const { extraction, verdict } = await sandbox.run(
    'understanding.extract',
    { path, schema },
    patient,
  );
  expect(extraction.fields).toMatchObject({ invoice_number: 'INV-2026-0042' });
  expect(verdict.valid).toBe(true);
  const wrong = { ...extraction, fields: { ...extraction.fields, total: 1 } };
  expect(
    await sandbox.run('understanding.judge', { path, schema, extraction: wrong }, patient),
  ).toMatchObject({ valid: false });
});

test('understanding does not wait for work that reads', async () => {
  const { directory, sandbox, path } = await setup();
  // Nobody writes to this pipe: who opens it waits.
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const stop = new AbortController();
  const input = { path: pipe, mediaType: 'text/plain', maxPages: 1, maxPixels: 1 };
  const reading = sandbox.run('content.inspect', input, { ...patient, signal: stop.signal });
  const stopped = expect(reading).rejects.toThrow('enough');
  expect(await sandbox.run('understanding.abridge', { path }, patient)).toMatchObject({
    pages: [{ number: 1, words: [] }],
  });
  stop.abort(new Error('enough'));
  await stopped;
});
