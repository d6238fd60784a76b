import CFB from 'cfb';
import { describe, expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { told, unpack } from '../../../test/kit/unpack.ts';
import { decompressRtf } from './decompress-rtf.ts';

const msg = 'application/vnd.ms-outlook';
const wide = (text: string) => Buffer.from(text, 'utf16le');

/** Fixed properties: id, type and the first four bytes of the value. */
function propertyList(header: number, values: [id: number, type: number, value: number][]): Buffer {
  const rows = values.map(([id, type, value]) => {
    const row = Buffer.alloc(16);
    row.writeUInt16LE(type, 0);
    row.writeUInt16LE(id, 2);
    row.writeUInt32LE(value, 8);
    return row;
  });
  return Buffer.concat([Buffer.alloc(header), ...rows]);
}

function msgOf(streams: Record<string, Buffer>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams))
    CFB.utils.cfb_add(container, `/${name}`, content);
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

const properties = '__properties_version1.0';

describe('MSG', () => {
  test('reads texts in the code page of the message', async () => {
    const file = msgOf({
      [properties]: propertyList(32, [
        [0x3ffd, 3, 1251],
        [0x0017, 3, 2],
      ]),
      '__substg1.0_0037001E': Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      '__substg1.0_10130102': Buffer.from('<p>Hello <b>you</b></p>'),
      [`__recip_version1.0_#00000000/${properties}`]: propertyList(8, [[0x0c15, 3, 2]]),
      '__recip_version1.0_#00000000/__substg1.0_3001001F': wide('Bob'),
      '__recip_version1.0_#00000000/__substg1.0_39FE001F': wide('bob@example.com'),
    });
    const { mediaType, pages, metadata } = await readOffice(file);
    expect(mediaType).toBe(msg);
    expect(pages).toEqual(['Cc: Bob <bob@example.com>\nSubject: Привет\n\nHello you\n']);
    expect(metadata).toMatchObject({
      subject: 'Привет',
      cc: ['Bob <bob@example.com>'],
      importance: 'high',
    });
  });

  test('unpacks files and objects, and names links', async () => {
    const attachment = (number: number, streams: Record<string, Buffer>) =>
      Object.fromEntries(
        Object.entries(streams).map(([name, content]) => [
          `__attach_version1.0_#0000000${number}/${name}`,
          content,
        ]),
      );
    const file = msgOf({
      [properties]: propertyList(32, []),
      ...attachment(0, {
        '__substg1.0_3707001F': wide('a/b.txt'),
        '__substg1.0_37010102': Buffer.from('one'),
      }),
      ...attachment(1, { '__substg1.0_370D001F': wide('\\\\server\\file.doc') }),
      ...attachment(2, {
        '__substg1.0_3001001F': wide('Inner'),
        [`__substg1.0_3701000D/${properties}`]: propertyList(24, []),
        '__substg1.0_3701000D/__substg1.0_0037001F': wide('Inside'),
      }),
    });
    const { entries } = await unpack(msg, file);
    expect(entries.slice(0, 2).map(told)).toEqual([
      ['a_b.txt', 'one'],
      ['attachment-2', 'exception: The attachment is only a link to \\\\server\\file.doc'],
    ]);
    const inner = entries[2];
    expect(inner?.name).toBe('Inner.msg');
  });
});

test('a damaged TNEF file is read as far as possible', async () => {
  const attribute = (id: number, data: Buffer, length = data.length) => {
    const head = Buffer.alloc(9);
    head.writeUInt8(1, 0);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(length, 5);
    return Buffer.concat([head, data, Buffer.alloc(2)]);
  };
  const file = Buffer.concat([
    Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]),
    attribute(0x18004, Buffer.from('Report\0')),
    attribute(0x69002, Buffer.alloc(14)),
    attribute(0x18010, Buffer.from('A~1.TXT\0')),
    attribute(0x6800f, Buffer.from('content'), 2 ** 30),
  ]);
  const { mediaType, pages } = await readOffice(file);
  expect([mediaType, pages]).toEqual(['application/vnd.ms-tnef', ['Subject: Report\n']]);
  const { entries } = await unpack(mediaType, file);
  expect(entries.map(told)).toEqual([['A~1.TXT', 'content\0\0']]);
});

test('decompresses the RTF of the specification, and nothing from a damaged header', () => {
  const bytes = Buffer.from(
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    'hex',
  );
  expect(decompressRtf(bytes).toString()).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
  expect(decompressRtf(bytes.subarray(0, 20)).toString()).toMatch(/^\{\\rtf1/);
  expect(decompressRtf(Buffer.alloc(3))).toHaveLength(0);
});
