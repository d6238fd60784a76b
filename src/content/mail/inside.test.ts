import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { mailOf } from '../../../test/kit/mail.ts';
import { readOffice } from '../../../test/kit/office.ts';
import { told, unpack } from '../../../test/kit/unpack.ts';
import { recognise } from '../sniff.ts';
import { isoMailDate } from './date.ts';

const mail = 'message/rfc822';
const header = 'From: Ann <ann@example.com>\r\nSubject: Order\r\nMIME-Version: 1.0\r\n';

describe('files between the lines of a text', () => {
  const encoded = 'begin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\n';
  const message = `${header}\r\nHello\r\n${encoded}Bye\r\n`;

  test('are attachments, and no part of the text', async () => {
    const found = await recognise(Readable.from([Buffer.from(message)]));
    expect(found).toEqual({ mediaType: mail, isContainer: true });
    const { entries } = await unpack(mail, message);
    expect(entries.map(told)).toEqual([['cat.txt', 'Cat']]);
    const { pages } = await readOffice(Buffer.from(message));
    expect(pages[0]).toContain('\n\nHello\nBye\n');
  });

  test.each([
    ['without an end', 'begin 644 cat.txt\r\n#0V%T\r\n'],
    ['with other lines', 'begin 644 cat.txt\r\nDear cats,\r\nend\r\n'],
  ])('%s stay text', async (_, text) => {
    const whole = `${header}\r\nHello\r\n${text}`;
    expect((await unpack(mail, whole)).entries).toEqual([]);
    expect((await readOffice(Buffer.from(whole))).pages[0]).toContain('begin 644 cat.txt');
  });
});

describe('opaque-signed content', () => {
  const der = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const length = Buffer.alloc(5, 0x84);
    length.writeUInt32BE(content.length, 1);
    return Buffer.concat([Buffer.from([tag]), length, content]);
  };
  /** The same without lengths, which streaming programs write. */
  const open = (tag: number, ...parts: Buffer[]) =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)]);
  const oid = (last: number) => der(6, Buffer.from([42, 134, 72, 134, 247, 13, 1, 7, last]));
  const halves = (content: Buffer) => [der(4, content.subarray(0, 9)), der(4, content.subarray(9))];
  const signed = (make: typeof der, octets: Buffer) =>
    make(
      0x30,
      oid(2),
      make(
        0xa0,
        make(0x30, der(2, Buffer.from([1])), der(0x31), make(0x30, oid(1), make(0xa0, octets))),
      ),
    );
  const inner = Buffer.from(
    mailOf(
      [
        { type: 'text/plain', body: 'Please order.' },
        { type: 'text/csv', name: 'a.csv', body: 'x,y' },
      ],
      [],
    ),
  );

  test.each([
    ['with lengths', signed(der, der(4, inner))],
    ['without lengths, in parts', signed(open, open(0x24, ...halves(inner)))],
  ])('is the message itself: %s', async (_, body) => {
    const message = `${header}Content-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${body.toString('base64')}\r\n`;
    const { pages, metadata } = await readOffice(Buffer.from(message));
    expect(pages).toEqual(['From: Ann <ann@example.com>\nSubject: Order\n\nPlease order.\n']);
    expect(metadata).toMatchObject({ from: 'Ann <ann@example.com>', subject: 'Order' });
    const { entries } = await unpack(mail, message);
    expect(entries.map(told)).toEqual([['a.csv', 'x,y']]);
  });

  test('next to other parts is a message of its own', async () => {
    const part = {
      type: 'application/pkcs7-mime',
      name: 'smime.p7m',
      body: signed(der, der(4, inner)),
    };
    const { entries } = await unpack(mail, mailOf([{ type: 'text/plain', body: 'List' }, part]));
    expect(entries.map(told)[0]?.[1]).toContain('Subject: Order\r\n');
  });
});

test('metadata of a message is that of its header', async () => {
  const fields = [
    'Received: from b by c; Fri, 1 May 2026 05:31:00 GMT',
    'Received: from a by b; Fri, 1 May 2026 05:30:30 GMT',
    'From: =?utf-8?q?J=C3=B6rg?= <j@example.com>',
    'To: b@example.com, Friends: c@example.com;',
    'Bcc: d@example.com',
    'Date: Fri, 1 May 2026 7:30 +0200',
    'Subject: RE: Fwd: Order',
    'Message-ID: <1@example.com>',
    'References: <2@example.com> <3@example.com>',
    'X-Priority: 1 (Highest)',
  ];
  const { metadata } = await readOffice(
    Buffer.from(mailOf([{ type: 'text/plain', body: 'x' }], fields)),
  );
  expect(metadata).toMatchObject({
    from: 'Jörg <j@example.com>',
    to: ['b@example.com', 'Friends: c@example.com;'],
    bcc: ['d@example.com'],
    sent: '2026-05-01T07:30:00+02:00',
    received: '2026-05-01T05:31:00Z',
    subject: 'RE: Fwd: Order',
    conversation: 'Order',
    messageId: '<1@example.com>',
    references: ['<2@example.com>', '<3@example.com>'],
    importance: 'high',
  });
});

test('a date of an unknown zone is local', () => {
  expect(isoMailDate('1 May 26 07:30:15 XYZ')).toBe('2026-05-01T07:30:15');
});
