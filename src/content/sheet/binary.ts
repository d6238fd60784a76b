import { readFile, stat } from 'node:fs/promises';
import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { decryptIfNeeded } from '../office/decrypt.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { isCompoundFile, openCompoundFile } from '../ole/compound-file.ts';
import { readProperties as readOleProperties } from '../ole/properties.ts';
import { readProperties } from '../ooxml/properties.ts';
import { withZipParts } from '../ooxml/zip-parts.ts';
import { inOneLine, putCell, type RowLimit } from './cells.ts';
import { formatNumber } from './format-number.ts';

/** The library holds a workbook in memory, in about ten times its size. */
const maxBytes = 2 ** 27;
const xlsb = 'application/vnd.ms-excel.sheet.binary.macroEnabled.12';

export async function inspectBinary(file: ContentFile): Promise<Inspection> {
  const { SheetNames } = await openWorkbook(file, { bookSheets: true });
  return { pages: Math.max(1, SheetNames.length), encrypted: false, embedded: [] };
}

export async function readBinaryMetadata(file: ContentFile): Promise<Metadata> {
  const { SheetNames } = await openWorkbook(file, { bookSheets: true });
  const found =
    file.mediaType === xlsb
      ? await withZipParts(file.path, readProperties)
      : await openCompoundFile(file.path).then(readOleProperties, () => ({}));
  return toMetadata({ ...found, sheets: SheetNames.map(nameSheet) });
}

/** Reads XLS and XLSB: one page per sheet, hidden sheets included. */
export async function readBinary(input: TextInput): Promise<TextOutput> {
  const { maxText, maxRows = Number.POSITIVE_INFINITY, first, last } = input;
  const book = await openWorkbook(input, {});
  const rows = { left: maxRows, exceeded: false };
  const date1904 = book.Workbook?.WBProps?.date1904 ?? false;
  let left = maxText;
  let truncated = false;
  const pages = book.SheetNames.map((name, i) => {
    const sheet = book.Sheets[name];
    const writer = new TextWriter(left);
    const title = nameSheet(name, i);
    writer.line(book.Workbook?.Sheets?.[i]?.Hidden ? `${title} [hidden sheet]` : title);
    if (sheet) writeRows(sheet, writer, rows, date1904);
    if (i === book.SheetNames.length - 1) writeNames(book, writer);
    left -= writer.length;
    truncated ||= writer.isFull || rows.exceeded;
    return writer.toString();
  });
  return selectPages({ first, last }, { pages, truncated });
}

/** Longer names are not possible in Excel: the record was misread, as in files of early versions. */
function nameSheet(name: string, position: number): string {
  return name.length > maxNameLength ? `Sheet ${position + 1}` : name;
}
const maxNameLength = 31;

function openWorkbook(file: ContentFile, options: { bookSheets?: boolean }): Promise<WorkBook> {
  return decryptIfNeeded(file, ({ path }) => parseWorkbook(path, options));
}

async function parseWorkbook(path: string, options: { bookSheets?: boolean }): Promise<WorkBook> {
  if ((await stat(path)).size > maxBytes)
    throw new PermanentError('INVALID_FILE', `The workbook is larger than ${maxBytes} bytes`);
  const bytes = await readFile(path);
  // The library checks nothing, and may not end on damaged records.
  if (!isCompoundFile(bytes) && bytes.toString('latin1', 0, 2) === 'PK')
    await withZipParts(path, (parts) => parts.verify());
  try {
    return read(bytes, {
      ...options,
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellText: true,
      type: 'buffer',
    });
  } catch (error) {
    const reason = describeError(error);
    const code = /password|encrypt/i.test(reason) ? 'PASSWORD_PROTECTED' : 'INVALID_FILE';
    throw new PermanentError(code, `The workbook cannot be opened: ${reason}`, { cause: error });
  }
}

function writeRows(sheet: WorkSheet, writer: TextWriter, rows: RowLimit, date1904: boolean): void {
  const data: (CellObject | undefined)[][] = sheet['!data'] ?? [];
  const comments: string[] = [];
  data.forEach((cells, r) => {
    const values: string[] = [];
    cells.forEach((cell, c) => {
      if (!cell) return;
      putCell(values, c, shownValue(cell, date1904));
      for (const { a = '', t } of cell.c ?? [])
        comments.push(`[comment ${utils.encode_cell({ r, c })}, ${a}] ${inOneLine(t)}`);
    });
    if (values.every((value) => value === '')) return;
    rows.exceeded = rows.left <= 0;
    if (rows.exceeded || writer.isFull) return;
    rows.left -= 1;
    writer.line(values.join('\t').trimEnd());
  });
  for (const comment of comments) writer.line(comment);
}

function shownValue({ t, w, v, z, f }: CellObject, date1904: boolean): string {
  if (w === undefined && v === undefined) return f === undefined ? '' : `=${f}`;
  if (t === 'n') return formatNumber(String(v), z, date1904);
  return inOneLine(String(w ?? v)).trim();
}

function writeNames({ Workbook }: WorkBook, writer: TextWriter): void {
  for (const { Name, Ref } of Workbook?.Names ?? [])
    if (!Name.startsWith('_xlnm')) writer.line(`[name ${Name}] ${Ref}`);
}
