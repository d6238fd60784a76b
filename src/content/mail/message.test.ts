import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { smallPng } from '../../../test/kit/bad-files.ts';
import { type MailPart, mailOf, nestedMail } from '../../../test/kit/mail.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { told, unpack as unpackAny } from '../../../test/kit/unpack.ts';
import type { UnpackLimits } from '../container.ts';
import { requireCapability } from '../index.ts';
import { recognise } from '../sniff.ts';

const unpack = (message: string | Buffer, limits?: Partial<UnpackLimits>) =>
  unpackAny('message/rfc822', message, limits);
const entriesOf = async (message: string | Buffer, limits?: Partial<UnpackLimits>) =>
  (await unpack(message, limits)).entries.map(told);
const text = { type: 'text/plain', body: 'Please order.' };
const heading =
  'From: Ann <ann@example.com>\nTo: Bob <bob@example.com>\nDate: 2026-05-01 23:30:00 -0600\nSubject: Order';

const readText = async (message: string | Buffer) => {
  const path = join(await temporaryDirectory(), 'message');
  await writeFile(path, message);
  const page = { path, mediaType: 'message/rfc822', first: 1, last: 1, maxText: 1_000_000 };
  return (await requireCapability('message/rfc822', 'text')(page)).pages[0]?.text;
};

test('the text is that of the message, and each attachment is a document of its own', async () => {
  const inner = mailOf([text]);
  const parts = [
    text,
    { type: 'application/pdf', name: 'order.pdf', body: '%PDF-' },
    { type: 'message/rfc822', body: inner },
  ];
  expect(await readText(mailOf(parts))).toBe(`${heading}\n\nPlease order.\n`);
  const { entries, files } = await unpack(mailOf(parts));
  expect(entries.map(told)).toEqual([
    ['order.pdf', '%PDF-'],
    ['attachment-2.eml', inner],
  ]);
  expect(entries.map(({ position }) => position)).toEqual([0, 1]);
  expect(files).toEqual(['container', 'entries/0', 'entries/1']);
});

test.each([
  ['of one part of text', 'Content-Type: text/plain; charset=utf-8', false],
  ['of one part of HTML', 'Content-Type: text/html', false],
  ['that names no type', 'X-Mailer: a', false],
  ['of several parts', 'Content-Type: multipart/mixed; boundary=x', true],
  ['that is nothing but a file', 'Content-Type: application/pdf', true],
  [
    'whose only part is attached',
    'Content-Type: text/plain\nContent-Disposition: attachment',
    true,
  ],
])('a message %s is unpacked only if there is something in it', async (_, field, expected) => {
  const message = `From: a@example.com\nMIME-Version: 1.0\n${field}\n\nHello\n`;
  const found = await recognise(Readable.from([Buffer.from(message)]));
  expect(found).toEqual({ mediaType: 'message/rfc822', isContainer: expected });
});

describe('the text', () => {
  const alternative = (plain: string, html: string) =>
    [
      'From: a@example.com',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=x',
      '',
      '--x',
      '',
      plain,
    ]
      .concat('--x', 'Content-Type: text/html; charset=utf-8', '', html, '--x--', '')
      .join('\r\n');

  test.each([
    [
      'is the plain one where both say the same',
      alternative('Please *order*.', '<p>Please <b>order</b>.</p>'),
      'Please *order*.',
    ],
    [
      'is the other where the plain one is empty',
      alternative('', '<p>Please order.</p>'),
      'Please order.',
    ],
    [
      '… and where it says next to nothing',
      alternative('Use HTML.', `<p>${'Please order. '.repeat(9)}</p>`),
      `${'Please order. '.repeat(9)}`.trim(),
    ],
  ])('%s', async (_, message, expected) => {
    expect(await readText(message)).toBe(`From: a@example.com\n\n${expected}\n`);
  });

  test('of windows-1252 has its letters', async () => {
    const header = 'From: a@example.com\nContent-Type: text/plain; charset=windows-1252\n\n';
    expect(await readText(Buffer.from(`${header}\x80 5 \x96 \x84x\x93`, 'latin1'))).toContain(
      '\n\n€ 5 – „x“\n',
    );
  });

  test('has no control characters, and nothing in its heading begins a line', async () => {
    const fields = [
      'From: =?utf-8?q?Ann=0D=0ASubject=3A_forged?= <a@example.com>',
      'Subject: =?utf-8?q?a=00b=0A=0Ac?=',
      'To: Friends: Bob <bob@example.com>, c@example.com;',
    ];
    expect(await readText(mailOf([{ type: 'text/plain', body: 'x\0\x1b[2Jy' }], fields))).toBe(
      'From: Ann Subject: forged <a@example.com>\nTo: Friends: Bob <bob@example.com>, c@example.com;\nSubject: ab c\n\nx[2Jy\n',
    );
  });

  test('with a byte order mark before it keeps its first field', async () => {
    expect(await readText(Buffer.from(`\ufeff${mailOf([text])}`))).toContain('From: Ann');
  });
});

describe('parts that become no documents', () => {
  const leftOut = async (part: MailPart) => (await entriesOf(mailOf([text, part])))[0]?.[1];
  const der = (last: number) =>
    Buffer.from([0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last, 0]);

  test.each<[string, MailPart]>([
    ['skipped: The MIME part is empty', { type: 'application/pdf', name: 'a.pdf' }],
    ['skipped: The MIME part is empty', { type: 'text/plain', name: 'a.txt', body: '\r\n \n' }],
    [
      'known: A metadata file of the operating system',
      { type: 'image/x', name: 'Thumbs.db', body: 'x' },
    ],
    [
      'skipped: A digital signature, not a document',
      { type: 'application/pkcs7-signature', name: 'smime.p7s', body: 'x' },
    ],
    [
      'skipped: A digital signature, not a document',
      { type: 'application/pgp-signature', name: 'signature.asc', body: 'x' },
    ],
    [
      'skipped: PGP/MIME control data without content',
      { type: 'application/pgp-encrypted', body: 'Version: 1' },
    ],
    [
      'exception: The MIME part is encrypted (OpenPGP)',
      { type: 'application/octet-stream', body: '-----BEGIN PGP MESSAGE-----\n' },
    ],
    [
      'exception: The MIME part is encrypted (S/MIME)',
      { type: 'application/pkcs7-mime', name: 'smime.p7m', body: der(3) },
    ],
    [
      'exception: Opaque-signed content cannot be read (S/MIME)',
      { type: 'application/x-pkcs7-mime', name: 'smime.p7m', body: der(2) },
    ],
  ])('%s', async (expected, part) => {
    expect(await leftOut(part)).toBe(expected);
  });

  test('a type that is named like a property is one like any other', async () => {
    expect(await leftOut({ type: 'constructor', body: 'x' })).toBe('x');
  });
});

describe('images', () => {
  const page = () =>
    sharp({ create: { width: 600, height: 800, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
  const html = { type: 'text/html', body: '<p>Hello <img src="cid:logo@1"></p>' };
  const image = (body: Buffer | string, id: string, type = 'image/png'): MailPart => ({
    type,
    body,
    fields: [`Content-ID: <${id}>`],
  });
  const kept = async (part: MailPart) => {
    const [entry] = (await unpack(mailOf([html, part]))).entries;
    return entry && ('path' in entry || entry.reason);
  };

  test('that the text shows are left out, unless they could be pages', async () => {
    expect(await kept(image(await smallPng(), 'logo@1'))).toBe(
      'Inline image of 60 × 40 pixels, too small to be a page',
    );
    expect(await kept(image(await page(), 'logo@1'))).toBe(true);
    expect(await kept(image('<svg/>', 'logo@1', 'image/svg+xml'))).toBe(
      'Inline image in an unsupported format',
    );
  });

  test('that are attached are left out only where they show nothing', async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .gif()
      .toBuffer();
    expect(await kept(image(await smallPng(), 'other'))).toBe(true);
    expect(await kept(image(dot, 'other'))).toBe('Image of 1 × 1 pixels, too small to be a page');
    expect(await kept(image('torn', 'other'))).toBe(true);
  });
});

describe('limits', () => {
  test('names lead nowhere', async () => {
    const names = ['../../escaped', '/etc/passwd', 'C:\\windows', 'a'.repeat(5000)];
    const { files } = await unpack(
      mailOf([text, ...names.map((name) => ({ type: 'text/csv', name, body: 'x' }))]),
    );
    expect(files).toEqual(['container', ...[0, 1, 2, 3].map((n) => `entries/${n}`)]);
  });

  test('all entries together have one', async () => {
    const large = { type: 'application/pdf', body: 'x'.repeat(1000) };
    const entries = await entriesOf(mailOf([text, large, large, large]), { bytes: 2200 });
    expect(
      entries.map(([, content]) =>
        content.startsWith('exception: Unpacking would exceed the limit of 2200'),
      ),
    ).toEqual([false, false, true]);
  });

  test.each([
    ['more than 750000 lines', `From: a@example.com\n\n${'\n'.repeat(750_001)}`],
    ['52428801 bytes', Buffer.alloc(50 * 2 ** 20 + 1, 'x')],
    ['header size', `From: a@example.com\n${`X-A: ${'b'.repeat(90)}\n`.repeat(12_000)}\n`],
    ['nesting depth', nestedMail(60)],
  ])('a message with too much is refused as a whole: %s', async (reason, message) => {
    const refusal = {
      name: 'PermanentError',
      code: 'CONTAINER_TOO_LARGE',
      message: expect.stringContaining(reason),
    };
    await expect(unpack(message)).rejects.toMatchObject(refusal);
    await expect(readText(message)).rejects.toMatchObject(refusal);
  });

  test.each([
    'From: a@example.com',
    'Content-Type: multipart/mixed; boundary=\n\n--\n--',
    'From: a\n\0\n\0',
    '',
  ])('broken as it is, %j is read', async (message) => {
    expect(await entriesOf(message)).toEqual([]);
    expect(await readText(message)).toBeDefined();
  });
});
