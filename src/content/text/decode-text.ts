const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Text of unknown encoding: a byte order mark decides, then UTF-8 if it is valid, else windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const mark = marks.find((known) => known.bytes.every((byte, i) => bytes[i] === byte));
  if (mark) return new TextDecoder(mark.encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** What windows-1252 has from 0x80 to 0x9f, a space where nothing; the rest is as in Latin-1. */
const LETTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Node 20 decodes windows-1252 as if it were Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return asWindows1252(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
  );
}

/** Puts right what was decoded as Latin-1: its control characters are letters of windows-1252. */
export function asWindows1252(latin: string): string {
  return latin.replace(/[\u0080-\u009f]/g, (letter) => LETTERS[letter.charCodeAt(0) - 0x80] ?? '');
}
