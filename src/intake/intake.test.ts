import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { sniff } from '../content/sniff.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import { cleanFileName, cleanRelativePath } from './file-names.ts';
import { openIntake } from './intake.ts';
import { upload } from './upload.ts';

describe('file names', () => {
  test.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\mail\\a.txt', 'a.txt'],
    ['two\nlines.txt', 'two lines.txt'],
    ['evil\u202efdp.exe', 'evil fdp.exe'],
    ['', 'unnamed'],
    ['..', 'unnamed'],
    [`${'ä'.repeat(300)}.pdf`, `${'ä'.repeat(251)}.pdf`],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanFileName(given)).toBe(expected);
  });

  test.each([
    ['invoice.pdf', null],
    ['a/invoice.pdf', 'a/invoice.pdf'],
    ['./2026//march/../a.txt', '2026/march/a.txt'],
    ['../../etc/passwd', 'etc/passwd'],
    ['../a.txt', null],
    ['C:\\mail\\a.txt', 'mail/a.txt'],
    ['a\u202e/b\n.txt', 'a /b .txt'],
  ])('%j has the path %j', (given, expected) => {
    expect(cleanRelativePath(given)).toBe(expected);
  });
});

describe('types', () => {
  test.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0', 'image/png'],
    ['Dear Sir or Madam,\n', 'text/plain'],
    ['<!doctype html><p>', 'text/html'],
    ['<?xml version="1.0"?><Invoice/>', 'application/xml'],
    ['<rsm:CrossIndustryInvoice xmlns:rsm="x">', 'application/xml'],
    ['{ "a": 1 }\n', 'application/json'],
    ['\xff\xfeD\0e\0a\0r\0', 'text/plain'],
    ['\xfe\xff\0D\0e\0a\0r', 'text/plain'],
    [`II*\0\xff\xff\x0f\0${'pixels'.repeat(20_000)}`, 'image/tiff'],
    ['\x00\x01\x02\x03binary', 'application/octet-stream'],
  ])('%j is %s', async (head, expected) => {
    expect(await sniff(Readable.from([Buffer.from(head, 'latin1')]))).toBe(expected);
  });
});

describe('upload', () => {
  const pipeline = definePipeline({
    claim: step(defineStage({ run: async () => done('on') }), { on: end }),
  });
  let engine: Awaited<ReturnType<typeof openTestEngine>>;
  beforeAll(async () => {
    engine = await openTestEngine(pipeline);
  });
  afterAll(() => engine.close());
  const objects = async () => {
    const found = [];
    for await (const { key } of engine.resources.storage.list('documents/')) found.push(key);
    return found;
  };

  test('hashes what it stores and makes the first task', async () => {
    const { documentId } = await engine.admit('hello', 'a/b.txt');
    expect(await engine.documentOf(documentId)).toMatchObject({
      name: 'b.txt',
      bytes: 5,
      md5: '5d41402abc4b2a76b9719d911017c592',
      sha1: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d',
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      storageKey: `documents/${documentId}.txt`,
    });
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      stage: 'claim',
      epoch: 0,
    });
    expect((await engine.eventsOf(documentId)).map(({ type }) => type)).toEqual([
      'DOCUMENT_ADDED',
      'TASK_ADDED',
    ]);
  });

  test('that is too large leaves nothing behind', async () => {
    const before = await objects();
    await expect(engine.admit(Buffer.alloc(2000), 'big.bin', { maxBytes: 1000 })).rejects.toThrow(
      /larger than/,
    );
    expect(await objects()).toEqual(before);
  });

  test('whose sender breaks off leaves nothing behind', async () => {
    const before = await objects();
    const body = new Readable({
      read() {
        this.push(Buffer.alloc(1024));
        this.destroy(new Error('connection reset'));
      },
    });
    const { workspaceId, resources } = engine;
    await expect(
      upload(resources, intakeOf(engine), { workspaceId, name: 'x', body }),
    ).rejects.toThrow(/connection reset/);
    expect(await objects()).toEqual(before);
  });

  test('whose admission was committed, and nobody could tell, keeps its bytes', async () => {
    const { workspaceId, resources } = engine;
    const intake = intakeOf(engine);
    const admit: typeof intake.admit = async (document) => {
      await intake.admit(document);
      throw new Error('Connection terminated unexpectedly');
    };
    const body = Readable.from([Buffer.from('kept')]);
    await expect(
      upload(resources, { ...intake, admit }, { workspaceId, name: 'kept.txt', body }),
    ).rejects.toThrow();
    const { rows } = await resources.database.pool.query<{ storage_key: string }>(
      "select storage_key from documents where name = 'kept.txt'",
    );
    expect(await objects()).toContain(rows[0]?.storage_key);
  });

  test('that was sent before is answered as before, also when its bytes cannot be removed', async () => {
    const { workspaceId, resources } = engine;
    const storage = {
      ...resources.storage,
      remove: () => Promise.reject(new Error('Storage is away')),
    };
    const send = () => {
      const body = Readable.from([Buffer.from('twice')]);
      return upload({ storage }, intakeOf(engine), {
        workspaceId,
        name: 'a.txt',
        idempotencyKey: 'a',
        body,
      });
    };
    const { documentId } = await send();
    expect(await send()).toMatchObject({ outcome: 'repeated', documentId });
  });

  test('that cannot be admitted leaves nothing behind', async () => {
    const before = await objects();
    await expect(engine.admit('x', 'x.txt', { giveUpMs: Number.NaN })).rejects.toThrow();
    expect(await objects()).toEqual(before);
  });
});

function intakeOf({ resources }: Awaited<ReturnType<typeof openTestEngine>>) {
  return openIntake(resources.database.db, {
    first: 'claim',
    giveUpMs: 1000,
    deliveryGiveUpMs: 1000,
    maxBytes: 1e6,
    announce: async () => undefined,
  });
}
