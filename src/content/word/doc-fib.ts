import { PermanentError } from '../../errors.ts';

/** The parts of a document's text, which follow each other. */
const stories = [
  'text',
  'footnotes',
  'headers',
  'macros',
  'comments',
  'endnotes',
  'text boxes',
  'header text boxes',
] as const;

/** What is needed from the file information block at the start of the stream. */
export interface Fib {
  /** Word 6 and 95: 8-bit text, and all tables in the same stream. */
  isOld: boolean;
  isEncrypted: boolean;
  /** Saved fast: the text is in pieces, also in an old file. */
  isComplex: boolean;
  tableStream: string;
  otherTable: string;
  language: number;
  stories: { name: (typeof stories)[number]; length: number }[];
  /** Where the text of an old file starts if it is not in pieces. */
  textStart: number;
  /** Position and length of the piece table. */
  pieceTable: { at: number; length: number };
}

const smallest = 0x168;
const firstUnicodeVersion = 193;

export function readFib(stream: Buffer): Fib {
  const magic = stream.length >= smallest ? stream.readUInt16LE(0) : 0;
  if (magic !== 0xa5ec && magic !== 0xa5dc)
    throw new PermanentError('INVALID_FILE', 'The document is damaged: it has no header');
  const isOld = stream.readUInt16LE(2) < firstUnicodeVersion;
  const flags = stream.readUInt16LE(0x0a);
  const lengthsAt = isOld ? 0x34 : 0x4c;
  const tableAt = isOld ? 0x160 : 0x1a2;
  const tables = flags & 0x0200 ? ['1Table', '0Table'] : ['0Table', '1Table'];
  return {
    isOld,
    isEncrypted: (flags & 0x0100) !== 0,
    isComplex: (flags & 0x0004) !== 0,
    tableStream: tables[0] ?? '',
    otherTable: tables[1] ?? '',
    language: stream.readUInt16LE(6),
    stories: stories.map((name, i) => ({ name, length: count(stream, lengthsAt + 4 * i) })),
    textStart: stream.readUInt32LE(0x18),
    pieceTable: { at: count(stream, tableAt), length: count(stream, tableAt + 4) },
  };
}

function count(stream: Buffer, at: number): number {
  return at + 4 <= stream.length ? Math.max(0, stream.readInt32LE(at)) : 0;
}
