import { readFileSync } from 'node:fs';
import CFB from 'cfb';
import { expect, test } from 'vitest';
import { officeOf } from '../../../test/kit/office.ts';
import { told, unpack } from '../../../test/kit/unpack.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const main = { name: 'word/document.xml', body: '<w:p/>' };

function compoundFile(streams: Record<string, Buffer>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams))
    CFB.utils.cfb_add(container, `/${name}`, content);
  return Buffer.from(CFB.write(container, { type: 'buffer' }));
}

const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer);

/** The native data of a file that was inserted as an object. */
function nativeData(name: string, content: string): Buffer {
  const path = Buffer.from(`C:\\Users\\ada\\${name}\0`);
  return Buffer.concat([
    Buffer.from([2, 0]),
    Buffer.from(`${name}\0`),
    path,
    Buffer.from([0, 0, 3, 0]),
    number(path.length),
    path,
    number(content.length),
    Buffer.from(content),
  ]);
}

const inserted = nativeData('plan.txt', 'the plan');
const ole10 = Buffer.concat([number(inserted.length), inserted]);

test('unpacks inserted files, packages and documents of a DOCX, and says what holds none', async () => {
  const object = (name: string, body: Buffer) => ({ name: `word/embeddings/${name}`, body });
  const { entries } = await unpack(
    docx,
    officeOf('word', [
      main,
      object('oleObject1.bin', compoundFile({ '\u0001Ole10Native': ole10 })),
      object('oleObject2.bin', compoundFile({ Package: Buffer.from('a package') })),
      object('oleObject3.bin', compoundFile({ CONTENTS: Buffer.from('%PDF-1.7') })),
      object('oleObject4.bin', compoundFile({ 'Equation Native': Buffer.from('x') })),
      object('sheet.xlsx', Buffer.from('PK as it is')),
      object('oleObject5.bin', compoundFile({}).subarray(0, 600)),
      { name: 'word/afchunk.html', body: '<p>inserted</p>' },
    ]),
  );
  const byName = Object.fromEntries(entries.map(told));
  expect(byName).toMatchObject({
    'plan.txt': 'the plan',
    oleObject2: 'a package',
    oleObject3: '%PDF-1.7',
    'oleObject4.bin': expect.stringMatching(/^skipped: .*holds no file/),
    'sheet.xlsx': 'PK as it is',
    'afchunk.html': '<p>inserted</p>',
  });
  expect(entries[5]).toMatchObject({ kind: expect.stringMatching(/exception|skipped/) });
  expect(entries.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('continues behind the entries that were already taken, within the limit', async () => {
  const parts = ['a', 'b', 'c'].map((name) => ({ name: `word/embeddings/${name}`, body: name }));
  const { entries } = await unpack(
    docx,
    officeOf('word', [main, ...parts]),
    { bytes: 1 },
    { skip: 1 },
  );
  expect(entries.map(told)).toEqual([
    ['b', 'b'],
    ['c', expect.stringMatching(/^exception: .*limit of 1 bytes/)],
  ]);
});

test('unpacks the object storages of a Word 97 document as documents of their own', async () => {
  const file = compoundFile({
    WordDocument: Buffer.from('x'),
    'ObjectPool/_1/\u0001Ole10Native': ole10,
    'ObjectPool/_2/Workbook': Buffer.from('cells'),
  });
  const { entries } = await unpack('application/msword', file);
  expect(entries.map(({ name }) => name)).toEqual(['plan.txt', 'object-2.xls']);
  const [, workbook] = entries;
  const copy = CFB.read(readFileSync(workbook && 'path' in workbook ? workbook.path : ''), {
    type: 'buffer',
  });
  expect(Buffer.from(CFB.find(copy, '/Workbook')?.content as Uint8Array).toString()).toBe('cells');
});

test('unpacks the objects of RTF', async () => {
  const text = (value: string) =>
    Buffer.concat([number(value.length + 1), Buffer.from(`${value}\0`)]);
  const object = Buffer.concat([
    number(0x501),
    number(2),
    text('Package'),
    number(0),
    number(0),
    number(inserted.length),
    inserted,
  ]);
  const hex = object.toString('hex').replace(/(.{20})/g, '$1\r\n');
  const rtf = `{\\rtf1 x{\\object{\\*\\objclass Package}{\\*\\objdata ${hex}}{\\result y}}}`;
  const { entries } = await unpack('application/rtf', rtf);
  expect(entries.map(told)).toEqual([['plan.txt', 'the plan']]);
});
