import { PermanentError } from '../../errors.ts';
import { findMainPart } from '../ooxml/main-part.ts';
import { ofType, readRelationships } from '../ooxml/relationships.ts';
import type { ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';

export interface SheetEntry {
  name: string;
  /** `hidden`, or `veryHidden` if the menus of Excel do not show it either. */
  state: string | undefined;
  part: string | undefined;
}

export interface Workbook {
  sheets: SheetEntry[];
  names: { name: string; value: string }[];
  date1904: boolean;
  sharedStrings: string | undefined;
  styles: string | undefined;
  /** Authors of threaded comments. */
  persons: string[];
}

export async function readWorkbook(parts: ZipParts): Promise<Workbook> {
  const main = await findMainPart(parts, 'xl/workbook.xml');
  const relationships = await readRelationships(parts, main);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const book: Workbook = {
    sheets: [],
    names: [],
    date1904: false,
    sharedStrings: ofType(relationships, 'sharedStrings')[0],
    styles: ofType(relationships, 'styles')[0],
    persons: ofType(relationships, 'person'),
  };
  let definedName: { name: string; value: string } | undefined;
  await walkXml(parts.read(main), {
    open(element, attributes) {
      const name = attribute(attributes, 'name') ?? '';
      if (element === 'workbookPr')
        book.date1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '');
      if (element === 'sheet') {
        const part = targets.get(attribute(attributes, 'id') ?? '');
        book.sheets.push({ name, state: attribute(attributes, 'state'), part });
      }
      definedName = element === 'definedName' ? { name, value: '' } : undefined;
    },
    close(element) {
      if (element === 'definedName' && definedName) book.names.push(definedName);
      definedName = undefined;
    },
    text(text) {
      if (definedName) definedName.value += text;
    },
  });
  if (book.sheets.length === 0)
    throw new PermanentError('INVALID_FILE', 'The workbook lists no sheets');
  return book;
}
