import { describe, expect, test } from 'vitest';
import { mailOf, mboxOf } from '../../../test/kit/mail.ts';
import { told, unpack as unpackAny, unpackToParent } from '../../../test/kit/unpack.ts';
import type { UnpackLimits } from '../container.ts';
import { messagesOf } from './split-mbox.ts';

const unpack = async (mbox: string | Buffer, limits?: Partial<UnpackLimits>) =>
  (await unpackAny('application/mbox', mbox, limits)).entries.map(told);
const message = (text: string) => `From: a@example.com\nMIME-Version: 1.0\n\n${text}\n`;

describe('a mailbox', () => {
  test('becomes its messages', async () => {
    const first = mailOf([{ type: 'text/plain', body: 'x' }]);
    expect(await unpack(mboxOf([first, message('Two')]))).toEqual([
      ['message-1.eml', `${first}\n\n`],
      ['message-2.eml', `${message('Two')}\n\n`],
    ]);
  });

  test('has its quoted lines back as they were', async () => {
    const text = 'From here on\n>From there\n> From\n\nFrom me Fri May  1 23:30:00 2026\nTo: you';
    expect(await unpack(mboxOf([message(text)]))).toEqual([
      ['message-1.eml', `${message(text)}\n\n`],
    ]);
  });

  test.each([
    ['is within a paragraph', 'a\nFrom ann@example.com Fri May  1 23:30:00 2026\nTo: b'],
    ['is followed by text', '\nFrom ann@example.com Fri May  1 23:30:00 2026\nDear Bob'],
    ['is a sentence', '\nFrom Fri to Mon we meet at 10:30.\nNote: in 2026'],
  ])('is not cut where a line like a postmark %s', async (_, text) => {
    const mbox = `From a@example.com Fri May  1 23:30:00 2026\n${message(text)}`;
    expect(await unpack(mbox)).toEqual([['message-1.eml', message(text)]]);
  });

  test('with line ends of two characters is cut as well', async () => {
    const mbox = mboxOf([message('One'), message('Two')]).replaceAll('\n', '\r\n');
    expect(await unpack(mbox)).toHaveLength(2);
  });

  test('has a limit for all messages together; what passes it is an exception', async () => {
    const large = message('x'.repeat(1000));
    const entries = await unpack(mboxOf([large, large, large]), { bytes: 2500 });
    expect(
      entries.map(([, content]) => content.startsWith('exception: Unpacking would exceed')),
    ).toEqual([false, false, true]);
  });

  test('with too many messages gives the first ones, and one exception for the rest', async () => {
    const mbox = mboxOf(Array.from({ length: 13 }, () => message('x')));
    const entries = await unpackToParent('application/mbox', mbox, { entries: 10 });
    expect(entries).toHaveLength(11);
    expect(entries.at(-1)).toMatchObject({
      kind: 'exception',
      reason: 'The limit of 10 entries is reached (MILLRACE_MAX_ENTRIES)',
    });
  });

  test('continues behind the messages that were taken', async () => {
    const mbox = mboxOf(['One', 'Two', 'Three'].map(message));
    const { entries, files } = await unpackAny('application/mbox', mbox, {}, { skip: 1 });
    expect(entries.map(told)).toEqual([
      ['message-2.eml', `${message('Two')}\n\n`],
      ['message-3.eml', `${message('Three')}\n\n`],
    ]);
    expect(files).toEqual(['container', 'entries/1', 'entries/2']);
  });
});

describe('however its bytes come', () => {
  async function* from(chunks: Buffer[]) {
    yield* chunks;
  }
  const read = async (chunks: Buffer[]) => {
    const texts: string[] = [];
    for await (const pieces of messagesOf(from(chunks))) {
      const bytes: Buffer[] = [];
      for await (const piece of pieces) bytes.push(piece);
      texts.push(Buffer.concat(bytes).toString('latin1'));
    }
    return texts;
  };
  const mbox = Buffer.from(
    mboxOf([message('From one\n\nline'), message('>From two'), message('three\n\n\n')]),
  );
  const cut = (size: number) =>
    Array.from({ length: Math.ceil(mbox.length / size) }, (_, n) =>
      mbox.subarray(n * size, (n + 1) * size),
    );

  test.each([1, 2, 3, 7, 64, 100])('its messages are the same: %i at a time', async (size) => {
    expect(await read(cut(size))).toEqual(await read([mbox]));
  });

  test('a long line is passed on before its end, and is one line all the same', async () => {
    const postmark = Buffer.from('From a@example.com Fri May  1 23:30:00 2026\n');
    const line = [
      Buffer.from(message('')),
      Buffer.alloc(100_000, 'x'),
      Buffer.from('>From here\n'),
    ];
    const pieces: Buffer[] = [];
    for await (const each of messagesOf(from([postmark, ...line])))
      for await (const piece of each) pieces.push(piece);
    expect(pieces.at(-1)?.toString()).toBe('>From here\n');
    expect(Buffer.concat(pieces).equals(Buffer.concat(line))).toBe(true);
  });

  test('who leaves a message, or never looks at it, gets the next one', async () => {
    const firsts: string[] = [];
    let messages = 0;
    for await (const pieces of messagesOf(from(cut(40)))) {
      messages += 1;
      if (messages === 2) continue;
      for await (const piece of pieces) {
        firsts.push(piece.toString().slice(0, 5));
        break;
      }
    }
    expect({ messages, firsts }).toEqual({ messages: 3, firsts: ['From:', 'From:'] });
  });
});
