import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { writeDrawings } from '../ooxml/drawing.ts';
import { readProperties } from '../ooxml/properties.ts';
import { readRelationships } from '../ooxml/relationships.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { headerText, readPersons, writeComments } from './annotations.ts';
import { type CellContext, cellVisitor, type RowLimit } from './cells.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readCellFormats } from './styles.ts';
import { readWorkbook, type SheetEntry, type Workbook } from './workbook.ts';

export function inspectXlsx({ path }: ContentFile): Promise<Inspection> {
  return withZipParts(path, async (parts) => {
    const { sheets } = await readWorkbook(parts);
    return { pages: sheets.length, encrypted: false, embedded: [] };
  });
}

export function readXlsxMetadata({ path }: ContentFile): Promise<Metadata> {
  return withZipParts(path, async (parts) => {
    const { sheets } = await readWorkbook(parts);
    const found = await readProperties(parts);
    return toMetadata({ ...found, sheets: sheets.map(({ name }) => name) });
  });
}

/** Reads a workbook: one page per sheet, hidden sheets included. */
export async function readXlsx(input: TextInput): Promise<TextOutput> {
  const { path, maxText, maxRows = Number.POSITIVE_INFINITY, first, last, pictures } = input;
  const read = await withZipParts(path, async (parts) => {
    const book = await readWorkbook(parts);
    const { strings, complete } = await readSharedStrings(parts, book.sharedStrings);
    const formats = await readCellFormats(parts, book.styles);
    const persons = await readPersons(parts, book.persons);
    const rows = { left: maxRows, exceeded: false };
    const cells = { strings, formats, date1904: book.date1904 };
    const pages: string[] = [];
    let left = maxText;
    let truncated = !complete;
    for (const [i, sheet] of book.sheets.entries()) {
      if (i + 1 < first || i + 1 > last) {
        pages.push('');
        continue;
      }
      const writer = new TextWriter(left, pictures);
      const whole = await writeSheet(parts, sheet, { ...cells, persons, rows }, writer);
      if (i === book.sheets.length - 1) writeNames(book, writer);
      pages.push(writer.toString());
      left -= writer.length;
      truncated ||= writer.isFull || !whole;
    }
    await pictures?.save();
    return { pages, truncated };
  });
  return selectPages({ first, last }, read);
}

interface SheetContext extends CellContext {
  persons: ReadonlyMap<string, string>;
  rows: RowLimit;
}

/** A sheet that is not shown, and how to show it. */
const hiding: Record<string, string> = { hidden: '[hidden sheet]', veryHidden: '[hidden sheet]' };

async function writeSheet(
  parts: ZipParts,
  { name, state = '', part }: SheetEntry,
  context: SheetContext,
  writer: TextWriter,
): Promise<boolean> {
  writer.line([name, hiding[state]].filter(Boolean).join(' '));
  if (part === undefined || !parts.has(part)) return true;
  const visitor = cellVisitor(writer, context, context.rows);
  let headerOf = '';
  const headers = new Set<string>();
  const cells = await walkXml(parts.read(part), {
    ...visitor,
    open(element, attributes) {
      headerOf = /^(odd|even|first)(Header|Footer)$/.test(element) ? element : '';
      visitor.open(element, attributes);
    },
    text(text) {
      if (headerOf) headers.add(headerText(text));
      else visitor.text(text);
    },
  });
  for (const header of headers) writer.line(header);
  const relationships = await readRelationships(parts, part);
  const drawn = await writeDrawings(parts, relationships, writer);
  const commented = await writeComments(parts, relationships, context.persons, writer);
  return cells && !context.rows.exceeded && drawn && commented;
}

/** Names that Excel keeps for itself, such as `_xlnm.Print_Area`, are left out. */
function writeNames({ names }: Workbook, writer: TextWriter): void {
  for (const { name, value } of names)
    if (!name.startsWith('_xlnm')) writer.line(`[name ${name}] ${value}`);
}
