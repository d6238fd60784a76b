export interface Encoded {
  name: string;
  bytes: Buffer;
}

const begin = /^begin(?:-base64)? [0-7]{3,4} (\S.*)$/;
/** A line has at most 45 bytes, in groups of three that four characters stand for. */
const line = /^[ -`]{1,64}\s*$/;

/**
 * Separates files that old mail programs put between the lines of a text. A file without an end, or
 * with a line that is no code, stays text.
 */
export function splitUuencoded(text: string): { text: string; files: Encoded[] } {
  if (!/^begin/m.test(text)) return { text, files: [] };
  const lines = text.split(/\r?\n/);
  const kept: string[] = [];
  const files: Encoded[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const found = readFile(lines, at);
    if (found) {
      files.push(found.file);
      at = found.end;
    } else kept.push(lines[at] ?? '');
  }
  return { text: files.length === 0 ? text : kept.join('\n'), files };
}

function readFile(lines: string[], at: number): { file: Encoded; end: number } | undefined {
  const [start = '', name] = begin.exec(lines[at]?.trimEnd() ?? '') ?? [];
  if (name === undefined) return undefined;
  const isBase64 = start.startsWith('begin-base64');
  const mark = isBase64 ? '====' : 'end';
  const chunks: Buffer[] = [];
  for (let i = at + 1; i < lines.length; i += 1) {
    const text = (lines[i] ?? '').replace(/\r$/, '');
    if (text.trimEnd() === mark) return { file: { name, bytes: Buffer.concat(chunks) }, end: i };
    if (isBase64 ? !/^[A-Za-z0-9+/=]+$/.test(text) : text.trim() !== '' && !line.test(text))
      return undefined;
    chunks.push(isBase64 ? Buffer.from(text, 'base64') : decodeLine(text));
  }
  return undefined;
}

/** The first character is the number of bytes. Spaces at the end may be lost on the way. */
function decodeLine(text: string): Buffer {
  const length = sixBits(text, 0);
  const bytes = Buffer.alloc(Math.ceil(length / 3) * 3);
  for (let i = 0, at = 1; i < length; i += 3, at += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((n) => sixBits(text, at + n));
    bytes.writeUIntBE(((a ?? 0) << 18) | ((b ?? 0) << 12) | ((c ?? 0) << 6) | (d ?? 0), i, 3);
  }
  return bytes.subarray(0, length);
}

function sixBits(text: string, at: number): number {
  return at < text.length ? (text.charCodeAt(at) - 32) & 63 : 0;
}
