import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { compoundFile, wordOf } from '../../../test/kit/office-97.ts';
import { decodeCodePage } from './code-page.ts';
import { readPropertySet } from './property-set.ts';

test('reads the pieces of a Word document, each story in turn', async () => {
  const main = 'He\u0013HYPERLINK "x"\u0014llo\u0015\rA\u0007B\u0007\u0007';
  const file = wordOf(
    [{ text: main }, { text: 'Größe №\r', wide: true }, { text: 'Head\rHead\r' }],
    [main.length, 8, 10],
  );
  const { mediaType, pages, truncated } = await readOffice(file);
  expect(mediaType).toBe('application/msword');
  expect(pages[0]?.split(/\n+/)).toEqual(['Hello', 'A\tB', 'Größe №', 'Head']);
  expect(truncated).toBe(false);
});

test('reads Word 6 and 95 documents in the code page of their language', async () => {
  const text = Buffer.from([0xcf, 0xf0, 0xe8, 0x0d, 0x41, 0x07, 0x42, 0x07, 0x07]);
  const fib = Buffer.alloc(0x200);
  fib.writeUInt16LE(0xa5dc, 0);
  fib.writeUInt16LE(101, 2);
  fib.writeUInt16LE(0x0419, 6);
  fib.writeUInt32LE(fib.length, 0x18);
  fib.writeUInt32LE(text.length, 0x34);
  const file = compoundFile({ WordDocument: Buffer.concat([fib, text]) });
  expect(await readOffice(file)).toMatchObject({ pages: ['При\nA\tB'], truncated: false });
});

test('an encrypted document is reported as such', async () => {
  await expect(readOffice(wordOf([{ text: 'x' }], [1], { flags: 0x0100 }))).rejects.toMatchObject({
    code: 'PASSWORD_PROTECTED',
  });
});

test('a document that is cut off is read as far as possible', async () => {
  const file = wordOf([{ text: 'whole\r' }], [6000]);
  expect(await readOffice(file)).toMatchObject({ pages: ['whole'], truncated: true });
});

test.each(['biff8', 'xlsb'] as const)(
  'reads %s workbooks, also hidden sheets',
  async (bookType) => {
    const book = utils.book_new();
    const cells = utils.aoa_to_sheet([['Total', 1234.5678901], [true]]);
    utils.book_append_sheet(book, cells, 'Open');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['secret']]), 'Shut');
    book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
    const { pages, metadata } = await readOffice(write(book, { type: 'buffer', bookType }));
    expect(pages).toEqual(['Open\nTotal\t1234.5678901\nTRUE', 'Shut [hidden sheet]\nsecret']);
    expect(metadata).toMatchObject({ sheets: ['Open', 'Shut'] });
  },
);

const atom = (type: number, body: Buffer, version = 0, instance = 0) => {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(version | (instance << 4), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};
const container = (type: number, children: Buffer[], instance = 0) =>
  atom(type, Buffer.concat(children), 0xf, instance);
const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

test('reads the current slides of a presentation, not deleted ones', async () => {
  const chars = (text: string) => atom(0x0fa0, Buffer.from(text, 'utf16le'));
  const slide = (text: string) => container(0x03ee, [container(0xf00d, [chars(text)])]);
  const old = slide('Deleted');
  const first = slide('Über uns\rMehr');
  const list = container(0x0ff0, [
    atom(0x03f3, numbers(2, 0, 0, 256)),
    atom(0x0f9f, numbers(0)),
    atom(0x0fa8, Buffer.from('Title')),
  ]);
  const document = container(0x03e8, [list]);
  const offsets = [0, old.length, old.length + first.length];
  const directory = atom(0x1772, numbers((2 << 20) | 1, offsets[2] ?? 0, offsets[1] ?? 0));
  const directoryAt = old.length + first.length + document.length;
  const edit = atom(0x0ff5, numbers(0, 0, 0, directoryAt, 1, 3, 0));
  const user = Buffer.alloc(20);
  user.writeUInt32LE(directoryAt + directory.length, 16);
  const { pages } = await readOffice(
    compoundFile({
      'PowerPoint Document': Buffer.concat([old, first, document, directory, edit]),
      'Current User': user,
    }),
  );
  expect(pages).toEqual(['Über uns\nMehr\nTitle']);
});

test('reads property sets in their code page', () => {
  const value = Buffer.concat([numbers(30, 4), Buffer.from([0xcf, 0xf0, 0xe8, 0])]);
  const section = Buffer.concat([
    numbers(0, 3, 1, 32, 2, 40, 12, 52),
    numbers(2, 1251),
    value,
    numbers(64),
    Buffer.from(BigInt64Array.of(133_000_000_000_000_000n).buffer),
  ]);
  const head = Buffer.alloc(48);
  head.writeUInt32LE(1, 24);
  head.writeUInt32LE(48, 44);
  expect(readPropertySet(Buffer.concat([head, section]), { 2: 'Title', 12: 'Created' })).toEqual([
    { Title: 'При', Created: '2022-06-18T04:26:40.000Z' },
  ]);
});

test('unknown code pages are read as windows-1252', () => {
  expect(decodeCodePage(Buffer.from([0x80]), 4711)).toBe('€');
});
