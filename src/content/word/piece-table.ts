import { codePageOfLanguage, decodeCodePage } from '../ole/code-page.ts';
import type { Fib } from './doc-fib.ts';

interface Piece {
  characters: number;
  /** Position in the stream. */
  at: number;
  isUnicode: boolean;
}

/** Longest text that is assembled. */
const maxCharacters = 50_000_000;

/** The text of all stories. Word keeps edited text in pieces all over the stream. */
export function readPieces(
  stream: Buffer,
  table: Buffer | undefined,
  fib: Fib,
): { characters: string; isComplete: boolean } {
  const wanted = fib.stories.reduce((sum, { length }) => sum + length, 0);
  const pieces = findPieces(table, fib) ?? [
    { characters: wanted, at: fib.textStart, isUnicode: false },
  ];
  const codePage = fib.isOld ? codePageOfLanguage(fib.language) : 1252;
  const parts: string[] = [];
  let length = 0;
  for (const { characters, at, isUnicode } of pieces) {
    const end = Math.min(stream.length, at + characters * (isUnicode ? 2 : 1));
    if (at >= end || length > maxCharacters) continue;
    const bytes = stream.subarray(at, end);
    const text = isUnicode ? bytes.toString('utf16le') : decodeCodePage(bytes, codePage);
    parts.push(text);
    length += text.length;
  }
  return { characters: parts.join(''), isComplete: length >= Math.min(wanted, maxCharacters) };
}

/** Skips formatting (type 1) and reads the piece table (type 2). */
function findPieces(table: Buffer | undefined, fib: Fib): Piece[] | undefined {
  if (!table || fib.pieceTable.length === 0 || (fib.isOld && !fib.isComplex)) return undefined;
  const { at, length } = fib.pieceTable;
  const bytes = table.subarray(at, at + length);
  let position = 0;
  while (bytes[position] === 1 && position + 3 <= bytes.length)
    position += 3 + bytes.readUInt16LE(position + 1);
  if (bytes[position] !== 2 || position + 5 > bytes.length) return undefined;
  const size = bytes.readUInt32LE(position + 1);
  return parsePieces(bytes.subarray(position + 5, position + 5 + size), fib.isOld);
}

function parsePieces(bytes: Buffer, isOld: boolean): Piece[] {
  const count = Math.floor((bytes.length - 4) / 12);
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const from = bytes.readUInt32LE(4 * i);
    const to = bytes.readUInt32LE(4 * i + 4);
    const position = bytes.readUInt32LE(4 * (count + 1) + 8 * i + 2);
    const isUnicode = !isOld && (position & 0x4000_0000) === 0;
    const at = isOld || isUnicode ? position : (position & 0x3fff_ffff) / 2;
    return { characters: Math.max(0, to - from), at, isUnicode };
  });
}
