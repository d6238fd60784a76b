import { decodeCodePage } from '../ole/code-page.ts';

/**
 * The file in the native data of a "Package" object: a type, label and path as C strings, some
 * fields without meaning here, then the length of the file and the file. Undefined if it is none.
 */
export function parseOle10Native(data: Buffer): { name: string; bytes: Buffer } | undefined {
  const label = stringAt(data, 2);
  const path = label && stringAt(data, label.end);
  if (!path || path.end + 8 > data.length) return undefined;
  const temporary = data.readUInt32LE(path.end + 4);
  const lengthAt = path.end + 8 + temporary;
  if (lengthAt + 4 > data.length) return undefined;
  const bytes = data.subarray(lengthAt + 4, lengthAt + 4 + data.readUInt32LE(lengthAt));
  return bytes.length === 0 ? undefined : { name: label.text || path.text, bytes };
}

const longest = 4096;

function stringAt(data: Buffer, start: number): { text: string; end: number } | undefined {
  const end = data.indexOf(0, start);
  if (end < 0 || end - start > longest) return undefined;
  return { text: decodeCodePage(data.subarray(start, end), 1252), end: end + 1 };
}
