import { describe, expect, test } from 'vitest';
import { mailDate } from './date.ts';
import { sniffMail } from './recognise.ts';

describe('mail is known by how it begins', () => {
  test.each([
    [
      'a message',
      'Received: from a by b; Fri, 1 May 2026 10:00:00 +0200\r\nFrom: a@example.com\r\n\r\nHello',
    ],
    [
      'one without a trace of its way',
      'From: Ann <a@example.com>\nDate: Fri, 1 May 2026 10:00:00 +0200\n\nHello',
    ],
    ['one that is only its header', 'Message-ID: <1@example.com>\nSubject: =?utf-8?q?a?='],
    [
      'one that begins with fields of others',
      'X-Mozilla-Status: 0001\nX-A: b\n c\nTo: a\nMIME-Version: 1.0\n\n',
    ],
    ['a draft', 'To: bob\nSubject: Order\nContent-Type: text/plain; charset=utf-8\n\nHello'],
    ['one with a byte order mark', '\ufeffFrom: a@example.com\nMIME-Version: 1.0 (Mac)\n\n'],
    ['one with bytes that are no text', 'Subject: a\nContent-Transfer-Encoding: binary\n\n\0\0\0'],
    ['one that has a line between its fields', 'From: a\nReturn-Path: <a@b>\nnot a field\n'],
    [
      'a saved web page',
      'From: <Saved by Blink>\nSubject: Page\nMIME-Version: 1.0\nContent-Type: multipart/related\n',
    ],
  ])('%s', (_, start) => {
    expect(sniffMail(start)).toBe('message/rfc822');
  });

  test.each([
    ['From ann@example.com Fri May  1 23:30:00 2026', 'a mailbox'],
    ['From - Fri May 01 23:30:00 2026', 'that of Thunderbird'],
    ['From 1275267068816858875@xxx Wed Jul 16 06:24:10 +0000 2008', 'that of Gmail'],
    [
      'From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001',
      'a series of patches',
    ],
    ['From ann@example.com', 'one that leaves the date out'],
  ])('%s: %s', (postmark) => {
    expect(sniffMail(`${postmark}\nFrom: Ann <ann@example.com>\nMIME-Version: 1.0\n\n`)).toBe(
      'application/mbox',
    );
  });
});

test.each([
  ['a letter', 'Dear Sir or Madam,\nFrom: me\n'],
  ['a memo', 'From: Ann\nTo: Bob\nDate: 1 May 2026\nSubject: Order\n\nPlease order.'],
  [
    'a memo with addresses',
    'From: ann@example.com\nTo: bob@example.com\nDate: 1 May 2026 10:00\nSubject: Order\n\n',
  ],
  [
    'a memo with a time',
    'From: Ann\nTo: Bob\nDate: Fri, 1 May 2026 10:00:00 +0200\nSubject: Order\n\n',
  ],
  ['a letter that was stamped', 'From: Ann\nReceived: 3 May 2026\nContent-Type: letter\n\n'],
  [
    'a printed message',
    'From: Ann <a@example.com>\nSent: Friday, May 1, 2026 10:00\nTo: Bob\nSubject: Order\n\n',
  ],
  [
    'another',
    'From: Ann <a@example.com>\nSubject: Order\nDate: 1 May 2026 at 10:00:00 CEST\nTo: b@example.com\n',
  ],
  [
    'what we make of a message',
    'From: Ann <a@example.com>\nDate: 2026-05-01 10:00:00 +0200\nSubject: Order\n\nHello',
  ],
  ['a message below something else', 'Forwarded:\n\nFrom: a@example.com\nMIME-Version: 1.0\n'],
  ['a message after an empty line', '\nFrom: a@example.com\nMIME-Version: 1.0\n'],
  [
    'an answer of a web server',
    'HTTP/1.1 200 OK\nDate: Fri, 01 May 2026 10:00:00 GMT\nContent-Type: text/html\n',
  ],
  [
    'the header of one',
    'Date: Fri, 01 May 2026 10:00:00 GMT\nServer: x\nContent-Type: text/html; charset=utf-8\n',
  ],
  ['front matter', 'Title: Order\nSubject: Chemistry\nDate: 2026-05-01\nReferences: Smith 1999\n'],
  [
    'a package',
    'Package: mail\nMaintainer: Ann <a@example.com>\nDate: Fri, 01 May 2026 10:00:00 +0000\n',
  ],
  ['a vCard', 'BEGIN:VCARD\nVERSION:3.0\nN:Ann\nEMAIL:ann@example.com\n'],
  ['a sentence', 'From now on we meet on Fri May 1 10:30 2026, as agreed.\nNote: bring cake\n'],
  ['a postmark and text', 'From ann@example.com Fri May  1 23:30:00 2026\nDear Bob,\n'],
  ['fields that are named like properties', 'From: a\nconstructor: b\ntoString: c\n__proto__: d\n'],
  ['nothing', ''],
])('%s is no mail', (_, start) => {
  expect(sniffMail(start)).toBeUndefined();
});

test.each([
  ['From a Fri May  1 1:00 ', ''],
  ['From a@', ''],
  ['From: a\nReturn-Path: ', '<'],
  ['From: a\nMessage-ID: ', '<a'],
  ['From: a@\nDate: ', ' 1 '],
  ['From: a', '\n\t\t '],
  ['From', '!'],
])('however long, %j and %j is soon looked at', (start, more) => {
  expect(sniffMail(start + (more || start).repeat(200_000))).toBeUndefined();
});

test.each([
  ['Fri, 1 May 2026 23:30:00 -0600', '2026-05-01 23:30:00 -0600'],
  ['01 December 26 1:30 GMT', '2026-12-01 1:30 GMT'],
  ['Tue, 3 Jan 97 10:00:00 +0100 (CET)', '1997-01-03 10:00:00 +0100'],
  ['1 May 2026', undefined],
  ['Fri, 1 Foo 2026 10:00:00 +0000', undefined],
  ['2026-05-01 23:30:00 -0600', undefined],
])('the date %j is %j', (text, expected) => {
  expect(mailDate(text)).toBe(expected);
});
