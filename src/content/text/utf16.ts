const sampleBytes = 4096;
/** Characters that text of any language has: spaces, line ends and full stops. */
const common = /[ \n\r\t.,\u3000-\u3002]/g;
const textual = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\r\t\f]/gu;
const minShare = 0.98;

/** Recognises UTF-16 without a byte order mark. Text in other encodings has no NUL bytes. */
export function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, Math.min(sampleBytes, bytes.length - (bytes.length % 2)));
  if (sample.length < 4 || !sample.includes(0)) return undefined;
  const little = countCommon(sample, 'utf-16le');
  const big = countCommon(sample, 'utf-16be');
  if (little === 0 && big === 0) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

/** 0 if the bytes are no text in this encoding. */
function countCommon(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): number {
  const text = new TextDecoder(encoding).decode(sample);
  const share = (text.match(textual)?.length ?? 0) / [...text].length;
  if (share < minShare || text.includes('\0') || text.includes('\ufffd')) return 0;
  return text.match(common)?.length ?? 0;
}
