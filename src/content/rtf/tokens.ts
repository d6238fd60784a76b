export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word with its number, such as `\fs24`, or a symbol, such as `\~`. */
  | { kind: 'word'; name: string; value: number | undefined }
  /** Bytes of text: plain ones, and those written as `\'e4`. */
  | { kind: 'bytes'; bytes: Buffer; escaped: boolean };

const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x27;

/** Splits RTF into tokens. Binary data (`\binN`) is skipped. Linear, and never fails. */
export function* tokenizeRtf(source: Buffer): Generator<RtfToken> {
  for (let at = 0; at < source.length; ) {
    const byte = source[at];
    if (byte === openBrace || byte === closeBrace) {
      yield { kind: byte === openBrace ? 'open' : 'close' };
      at += 1;
    } else if (byte === backslash) {
      const { token, end } = readControl(source, at + 1);
      if (token) yield token;
      at = end;
    } else {
      const end = endOfText(source, at);
      const bytes = source.subarray(at, end);
      // Line ends only format the file itself.
      if (byte !== 0x0d && byte !== 0x0a) yield { kind: 'bytes', bytes, escaped: false };
      at = end;
    }
  }
}

function endOfText(source: Buffer, start: number): number {
  const isBreak = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;
  if (isBreak(source[start])) return start + 1;
  let end = start + 1;
  for (; end < source.length; end += 1) {
    const byte = source[end];
    if (byte === backslash || byte === openBrace || byte === closeBrace || isBreak(byte)) break;
  }
  return end;
}

function readControl(source: Buffer, at: number): { token?: RtfToken; end: number } {
  const first = source[at];
  if (first === undefined) return { end: at };
  if (first === quote) {
    const code = Number.parseInt(source.toString('latin1', at + 1, at + 3), 16);
    const token = { kind: 'bytes', bytes: Buffer.of(code), escaped: true } as const;
    return Number.isNaN(code) ? { end: at + 1 } : { token, end: at + 3 };
  }
  if (!isLetter(first)) {
    const name = String.fromCharCode(first);
    return { token: { kind: 'word', name, value: undefined }, end: at + 1 };
  }
  let end = at;
  while (isLetter(source[end]) && end - at < 64) end += 1;
  const name = source.toString('latin1', at, end);
  const number = /^-?\d{1,10}/.exec(source.toString('latin1', end, end + 12))?.[0];
  end += number?.length ?? 0;
  if (source[end] === 0x20) end += 1;
  const value = number === undefined ? undefined : Number(number);
  if (name === 'bin') return { end: end + Math.max(0, value ?? 0) };
  return { token: { kind: 'word', name, value }, end };
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}
