import { utils, write } from '@e965/xlsx';
import CFB from 'cfb';
import { OfficeRc4 } from './rc4.ts';

export function compoundFile(streams: Record<string, Buffer>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams))
    CFB.utils.cfb_add(container, `/${name}`, content);
  return Buffer.from(CFB.write(container, { type: 'buffer' }));
}

export interface WordOptions {
  flags?: number;
  password?: string;
}

/** A Word 97 file whose pieces are given as 8-bit or 16-bit text. */
export function wordOf(
  pieces: { text: string; wide?: boolean }[],
  stories: number[],
  { flags = 0, password }: WordOptions = {},
): Buffer {
  const fib = Buffer.alloc(0x400);
  fib.writeUInt16LE(0xa5ec, 0);
  fib.writeUInt16LE(193, 2);
  fib.writeUInt16LE(flags | (password === undefined ? 0 : 0x0100), 0x0a);
  for (const [i, length] of stories.entries()) fib.writeUInt32LE(length, 0x4c + 4 * i);
  const texts = pieces.map(({ text, wide }) => Buffer.from(text, wide ? 'utf16le' : 'latin1'));
  const table = Buffer.alloc(5 + 4 * (pieces.length + 1) + 8 * pieces.length);
  table.writeUInt8(2, 0);
  table.writeUInt32LE(table.length - 5, 1);
  let position = 0x400;
  let character = 0;
  pieces.forEach(({ text, wide }, i) => {
    const at = 5 + 4 * (pieces.length + 1) + 8 * i + 2;
    table.writeUInt32LE(wide ? position : ((position * 2) | 0x4000_0000) >>> 0, at);
    position += texts[i]?.length ?? 0;
    character += text.length;
    table.writeUInt32LE(character, 5 + 4 * (i + 1));
  });
  fib.writeUInt32LE(table.length, 0x1a6);
  const body = () => Buffer.concat([fib, ...texts]);
  if (password === undefined) return compoundFile({ WordDocument: body(), '0Table': table });
  const cipher = new OfficeRc4(password);
  const header = cipher.header();
  fib.writeUInt32LE(header.length, 0x0e);
  fib.writeUInt32LE(header.length, 0x1a2);
  const secret = cipher.encrypt(Buffer.concat([header, table]), 512, (at) => at >= header.length);
  return compoundFile({
    WordDocument: cipher.encrypt(body(), 512, (at) => at >= clearBytes),
    '0Table': secret,
  });
}

/** The start of a Word document is never encrypted. */
const clearBytes = 68;

const records = { bof: 0x809, filePass: 0x2f, interface: 0xe1, sheet: 0x85 };

/** A workbook of Excel 97 with one cell, encrypted. */
export function lockedWorkbook(cell: string, password: string): Buffer {
  const book = utils.book_new(utils.aoa_to_sheet([[cell]]), 'One');
  const file = CFB.read(write(book, { type: 'buffer', bookType: 'biff8' }), { type: 'buffer' });
  const stream = Buffer.from((CFB.find(file, 'Workbook')?.content ?? []) as Buffer);
  const cipher = new OfficeRc4(password);
  const pass = Buffer.concat([Buffer.from([1, 0]), cipher.header()]);
  const record = Buffer.concat([Buffer.from([records.filePass, 0, pass.length, 0]), pass]);
  const first = 4 + stream.readUInt16LE(2);
  const whole = Buffer.concat([stream.subarray(0, first), record, stream.subarray(first)]);
  const secret = new Set<number>();
  for (let at = 0; at + 4 <= whole.length; ) {
    const [type, length] = [whole.readUInt16LE(at), whole.readUInt16LE(at + 2)];
    const isClear = type === records.bof || type === records.filePass || type === records.interface;
    // Positions of sheets are not encrypted, and have moved.
    if (type === records.sheet)
      whole.writeUInt32LE(whole.readUInt32LE(at + 4) + record.length, at + 4);
    const from = at + 4 + (type === records.sheet ? 4 : 0);
    if (!isClear) for (let i = from; i < at + 4 + length; i += 1) secret.add(i);
    at += 4 + length;
  }
  return compoundFile({ Workbook: cipher.encrypt(whole, 1024, (at) => secret.has(at)) });
}
