import { PDFDict, PDFName, type PDFPage, PDFStream } from '@cantoo/pdf-lib';
import type { Decode } from './content-stream.ts';
import { streamText } from './stream-text.ts';

/** Decodes strings by the `ToUnicode` maps of a page's fonts; without one, as windows-1252. */
export function readFonts({ node }: PDFPage): Decode {
  const fonts = node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict);
  const known = new Map<string, (bytes: string) => string>();
  return (name, bytes) => {
    const decode = known.get(name) ?? decoderOf(fonts?.lookupMaybe(PDFName.of(name), PDFDict));
    known.set(name, decode);
    return decode(bytes).replace(/\p{Cc}/gu, '');
  };
}

function decoderOf(font: PDFDict | undefined): (bytes: string) => string {
  const stream = font?.lookup(PDFName.of('ToUnicode'));
  if (!(stream instanceof PDFStream)) return western;
  const map = parseToUnicode(streamText(stream));
  const width = font?.get(PDFName.of('Subtype')) === PDFName.of('Type0') ? 2 : 1;
  return (bytes) => {
    const hex = Buffer.from(bytes, 'latin1').toString('hex');
    const codes = hex.match(new RegExp(`.{${2 * width}}`, 'g')) ?? [];
    return codes.map((code) => map.get(Number.parseInt(code, 16)) ?? '').join('');
  };
}

/** Bytes 0x80 to 0x9f of windows-1252. Node 20 decodes them as if they were Latin-1. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function western(bytes: string): string {
  return bytes.replace(/[\u0080-\u009f]/g, (byte) => WESTERN[byte.charCodeAt(0) - 0x80] ?? byte);
}

export function parseToUnicode(cmap: string): Map<number, string> {
  const map = new Map<number, string>();
  for (const [, body = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code = '', text = ''] of body.matchAll(/<(\w+)>\s*<(\w+)>/g))
      map.set(Number.parseInt(code, 16), utf16(text));
  }
  for (const [, body = ''] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from = '', to = '', first, list] of body.matchAll(
      /<(\w+)>\s*<(\w+)>\s*(?:<(\w+)>|\[([^\]]*)\])/g,
    )) {
      addRange(map, Number.parseInt(from, 16), Number.parseInt(to, 16), first, list);
    }
  }
  return map;
}

function addRange(map: Map<number, string>, from: number, to: number, first = '', list = ''): void {
  const listed = list.match(/\w+/g);
  const start = utf16(first);
  for (let code = from; code <= Math.min(to, from + 0xffff); code++) {
    const next = (start.codePointAt(start.length - 1) ?? 0) + code - from;
    map.set(
      code,
      listed ? utf16(listed[code - from] ?? '') : start.slice(0, -1) + String.fromCodePoint(next),
    );
  }
}

function utf16(hex: string): string {
  return Buffer.from(hex.padStart(Math.ceil(hex.length / 4) * 4, '0'), 'hex')
    .swap16()
    .toString('utf16le');
}
