import { guessUtf16 } from './utf16.ts';

const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Decodes text of unknown encoding, if it is one that its bytes prove. */
export function decodeUnicode(bytes: Uint8Array): string | undefined {
  const mark = marks.find((known) => known.bytes.every((byte, i) => bytes[i] === byte));
  if (mark) return new TextDecoder(mark.encoding).decode(bytes);
  const encoding = guessUtf16(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Decodes text of unknown encoding: Unicode, else windows-1252. For names and for recognising a
 * file; `detectText` knows all encodings, at a cost.
 */
export function decodeText(bytes: Uint8Array): string {
  return decodeUnicode(bytes) ?? decodeWindows1252(bytes);
}

/** Characters 0x80 to 0x9f of windows-1252, a space where undefined. The rest equals Latin-1. */
const LETTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Node 20 decodes windows-1252 as if it were Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return asWindows1252(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
  );
}

/** Fixes windows-1252 text that was decoded as Latin-1 by mapping the C1 control characters. */
export function asWindows1252(latin: string): string {
  return latin.replace(/[\u0080-\u009f]/g, (letter) => LETTERS[letter.charCodeAt(0) - 0x80] ?? '');
}
