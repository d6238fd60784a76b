import iconv from 'iconv-lite';
import { decodeText, decodeUnicode } from './decode-text.ts';

/** Enough to tell languages apart; more only costs time. */
const sampleBytes = 64 * 1024;

/** Encodings that files are written in. The detector also knows some that hardly anybody used. */
const likely =
  /^(shift_?jis|cp932|windows-31j|euc-jp|euc-kr|cp949|gb18030|gbk|gb2312|big5(-?hkscs)?|koi8-[ru]|windows-125\d|windows-874|tis-620|iso-?8859-\d+|(cp|ibm)(437|850|866)|mac(roman|cyrillic))$/i;

/** Decodes text of unknown encoding: Unicode if it can be, else what its bytes are most like. */
export async function detectText(bytes: Uint8Array): Promise<string> {
  const unicode = decodeUnicode(bytes);
  if (unicode !== undefined)
    return hasEscapes(unicode) ? new TextDecoder('iso-2022-jp').decode(bytes) : unicode;
  const stated = statedEncoding(bytes);
  if (stated) return decode(bytes, stated);
  const { detectAll } = await import('jschardet');
  const sample = bytes.subarray(0, sampleBytes);
  const candidates = detectAll(sample)
    .flatMap(({ encoding }) => encoding ?? [])
    .filter((name) => likely.test(name) && iconv.encodingExists(name));
  // ISO-8859 has control characters where the code pages of Windows have letters.
  const isPlausible = (name: string) => !/[\u0080-\u009f]/.test(decode(sample, name));
  const encoding = candidates.find(isPlausible) ?? candidates[0];
  return encoding === undefined ? decodeText(bytes) : decode(bytes, encoding);
}

function decode(bytes: Uint8Array, encoding: string): string {
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding);
}

/** XML states its encoding in its first line. */
function statedEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const [, name = ''] = /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([\w.:-]{2,40})/.exec(start) ?? [];
  return name !== '' && !/^utf/i.test(name) && iconv.encodingExists(name) ? name : undefined;
}

/** ISO-2022-JP switches between character sets with escape sequences of ASCII. */
function hasEscapes(text: string): boolean {
  const start = text.slice(0, sampleBytes);
  return start.includes('\u001b$@') || start.includes('\u001b$B');
}
