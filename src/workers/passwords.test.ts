import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import officeCrypto from 'officecrypto-tool';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { corpora } from '../../test/kit/corpora.ts';
import { drain } from '../../test/kit/drain.ts';
import { officeOf } from '../../test/kit/office.ts';
import { lockedWorkbook, wordOf } from '../../test/kit/office-97.ts';
import { zipOf } from '../../test/kit/zip.ts';
import { insertPassword } from '../db/passwords.ts';
import { passwords } from '../db/schema/passwords.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import { readmit } from '../intake/admit.ts';
import { openLocalReader } from '../providers/ocr/local/index.ts';
import { operations } from '../sandbox/operations.ts';
import { runOperation } from '../sandbox/run-operation.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { pipeline } from './pipeline.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
const limits = { maxPages: 100, maxPixels: 1_000_000, pageTimeoutMs: 60_000 };
const reader = openLocalReader({ sandbox, ...limits, languages: [] });
const engine = await openTestBatches(pipeline, {
  reader,
  sandbox,
  extractor: openLocalExtractor(),
});
const { db } = engine.resources.database;
afterAll(async () => {
  await engine.close();
  await sandbox.close();
});

const run = () => drain(engine.runnerWith(), (work) => runOperation(operations, work));
const seal = (password: string) => engine.resources.seal.seal(password);

async function lockedPdf(password: string): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.setAuthor('Ada');
  pdf.addPage([300, 300]).drawText('Behind a password', { x: 20, y: 200 });
  pdf.encrypt({ userPassword: password, ownerPassword: 'owner' });
  return Buffer.from(await pdf.save());
}
const document = officeOf('word', [
  { name: 'word/document.xml', body: '<w:p><w:r><w:t>Behind a password</w:t></w:r></w:p>' },
  { name: 'docProps/core.xml', body: '<c><dc:creator>Ada</dc:creator></c>' },
]);
const text = 'Behind a password\r';
const made: [string, string, (password: string) => Buffer | Promise<Buffer>, object][] = [
  ['PDF', 'sesame-1', lockedPdf, { metadata: { author: 'Ada' } }],
  [
    'DOCX',
    'sesame-2',
    (password) => officeCrypto.encrypt(document, { password }),
    { metadata: { author: 'Ada' } },
  ],
  ['DOC', 'sesame-3', (password) => wordOf([{ text }], [text.length], { password }), {}],
  ['XLS', 'sesame-4', (password) => lockedWorkbook('Behind a password', password), {}],
  [
    'ZIP (ZipCrypto)',
    'sesame-5',
    (password) => zipOf([{ name: 'a.txt', body: 'Behind', password }]),
    { contents: { documents: 1 } },
  ],
];
const found: typeof made = [
  ['ZIP (AES)', 'test', () => archive('Zip.deflate.WinzipAES.zip'), { contents: { documents: 3 } }],
  ['7z', 'testpassword', () => archive('7Zip.LZMA2.Aes.7z'), { contents: { documents: 3 } }],
  ['RAR 4', 'test', () => archive('Rar.encrypted_filesOnly.rar'), { contents: { documents: 3 } }],
  [
    'RAR 5, names as well',
    'test',
    () => archive('Rar5.encrypted_filesAndHeader.rar'),
    { contents: { documents: 3 } },
  ],
];
const archive = (name: string) => readFileSync(join(corpora ?? '', 'formats/sharpcompress', name));

const isMade = (kind: string) => made.some(([name]) => name === kind);

describe('a locked file', { timeout: 120_000 }, () => {
  test.each([...made, ...(corpora ? found : [])])(
    '%s opens with the password of its replay, and with no other',
    async (kind, password, lock, expected) => {
      const { documentId } = await engine.admit(await lock(password), kind);
      await run();
      expect(await engine.documentOf(documentId)).toMatchObject({ status: 'failed' });
      expect(await engine.deadLettersOf(documentId)).toMatchObject([
        { code: 'PASSWORD_PROTECTED' },
      ]);
      const again = (given: string) =>
        db.transaction((tx) =>
          readmit(tx, documentId, engine.intake, { sealedPassword: seal(given) }),
        );
      await again('wrong');
      await run();
      expect(await engine.documentOf(documentId)).toMatchObject({ status: 'failed' });
      await again(password);
      await run();
      expect(await engine.documentOf(documentId)).toMatchObject({
        status: 'completed',
        ...expected,
      });
    },
  );

  test.each([...made, ...(corpora ? found : [])])(
    '%s is opened by the bank of its workspace; the event has no password',
    async (kind, password, lock, expected) => {
      const { workspaceId } = engine;
      // The same bytes would not be read again.
      const banked = isMade(kind) ? `${password}-banked` : password;
      await db.delete(passwords);
      await insertPassword(db, { workspaceId, label: 'another', sealed: seal('another') });
      await insertPassword(db, { workspaceId, label: `for ${kind}`, sealed: seal(banked) });
      const { documentId } = await engine.admit(await lock(banked), `bank ${kind}`);
      await run();
      expect(await engine.documentOf(documentId)).toMatchObject({
        status: 'completed',
        ...expected,
      });
      const { rows } = await engine.resources.database.pool.query(
        "select data from events e join ingestions i on i.id = e.ingestion_id where type = 'PASSWORD_ACCEPTED' and document_id = $1",
        [documentId],
      );
      expect(rows).toEqual([{ data: { documentId, label: `for ${kind}` } }]);
    },
  );
});
