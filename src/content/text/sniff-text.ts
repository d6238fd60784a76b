import { headBytes } from '../format.ts';
import { guessUtf16 } from './utf16.ts';

/** Text has no NUL bytes and few control characters, unless it is UTF-16. */
export function isText(head: Buffer): boolean {
  if (head[0] === 0xff && head[1] === 0xfe) return true;
  if (head[0] === 0xfe && head[1] === 0xff) return true;
  if (head.includes(0)) return guessUtf16(head) !== undefined;
  const controls = head.filter(
    (byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== ESC,
  ).length;
  return controls <= head.length / 100;
}

/** ISO-2022 switches between character sets with it, several times per line. */
const ESC = 27;

/** @param name Tells Markdown from plain text, which it is as well. */
export function sniffText(text: string, name = ''): string {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (/^(<\?xml|<!doctype|<[a-z_][\w.-]*:?[\w.-]*[\s>])/i.test(start)) return 'application/xml';
  if (isJson(start)) return 'application/json';
  return /\.(md|markdown)$/i.test(name) ? 'text/markdown' : 'text/plain';
}

const firstMember = /^\{\s*(\}|"([^"\\]|\\.)*"\s*:)/;
const firstItem = /^\[\s*([\]{["]|(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)\s*[,\]])/;

/** By how it begins and, if all of it was seen, how it ends. */
function isJson(text: string): boolean {
  if (!firstMember.test(text) && !firstItem.test(text)) return false;
  return text.length >= headBytes / 4 || /[\]}]\s*$/.test(text);
}
