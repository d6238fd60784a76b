import { expect, test } from 'vitest';
import { printable } from '../../lib/printable.ts';
import { decodeText } from './decode-text.ts';

test.each([
  ['UTF-8', Buffer.from('naïve €', 'utf8')],
  ['UTF-8 with a mark', Buffer.from('\ufeffnaïve €', 'utf8')],
  ['UTF-16 little endian', Buffer.from('\ufeffnaïve €', 'utf16le')],
  ['UTF-16 big endian', Buffer.from('\ufeffnaïve €', 'utf16le').swap16()],
  ['windows-1252', Buffer.from([0x6e, 0x61, 0xef, 0x76, 0x65, 0x20, 0x80])],
])('reads %s', (_, bytes) => {
  expect(decodeText(bytes)).toBe('naïve €');
});

test('keeps line ends and form feeds, and no other control characters', () => {
  expect(printable('a\0b\r\nc\rd\fe\u0007\tf')).toBe('ab\nc\nd\fe\tf');
});
