import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { printable } from '../../lib/printable.ts';
import type { ContentFile } from '../format.ts';
import { findFormat } from '../index.ts';
import { readPdf } from '../pdf/read.ts';
import { withConverted } from '../programs/soffice.ts';
import { decodeText } from '../text/decode-text.ts';

interface Conversion {
  to: string;
  /** The pages, from the files that LibreOffice has made. */
  read(files: string[]): Promise<string[]>;
}

const document: Conversion = {
  to: 'txt:Text (encoded):UTF8',
  read: (files) => Promise.all(files.map(readWhole)),
};
const spreadsheet: Conversion = {
  // Every sheet in a file of its own, in UTF-8, values as they are shown.
  to: 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1',
  read: (files) =>
    Promise.all(files.map(async (file) => `${sheetName(file)}\n${await readWhole(file)}`)),
};
/** There is no text filter for presentations. */
const presentation: Conversion = {
  to: 'pdf',
  async read([path = '']) {
    const input = { path, mediaType: 'application/pdf', first: 1, last: maxPages, maxText };
    return (await readPdf(input)).pages.map(({ text }) => text);
  },
};

/** By usual extension: the filter that reads the file, and what it is converted to. */
const conversions: Readonly<Record<string, [filter: string, Conversion]>> = {
  doc: ['MS Word 97', document],
  docx: ['MS Word 2007 XML', document],
  docm: ['MS Word 2007 XML VBA', document],
  rtf: ['Rich Text Format', document],
  odt: ['writer8', document],
  xls: ['MS Excel 97', spreadsheet],
  xlsx: ['Calc MS Excel 2007 XML', spreadsheet],
  xlsm: ['Calc MS Excel 2007 VBA XML', spreadsheet],
  xlsb: ['Calc MS Excel 2007 Binary', spreadsheet],
  ods: ['calc8', spreadsheet],
  ppt: ['MS PowerPoint 97', presentation],
  pptx: ['Impress MS PowerPoint 2007 XML', presentation],
  pptm: ['Impress MS PowerPoint 2007 XML VBA', presentation],
  odp: ['impress8', presentation],
};

const maxPages = 2000;
const maxText = 10_000_000;
/** Converting larger documents takes minutes. */
const maxBytes = 2 ** 26;

/**
 * The pages of an Office document as LibreOffice reads them; undefined if it is not installed or
 * cannot read it either. They are kept beside the file, because a file is inspected and then read.
 */
export async function readWithLibreOffice(file: ContentFile): Promise<string[] | undefined> {
  const extension = findFormat(file.mediaType)?.types[file.mediaType]?.[0] ?? '';
  const [filter, conversion] = conversions[extension] ?? [];
  if (!filter || !conversion || (await stat(file.path)).size > maxBytes) return undefined;
  const kept = `${file.path}.libreoffice.json`;
  if (existsSync(kept)) return pages.parse(JSON.parse(await readFile(kept, 'utf8')));
  const options = { extension, filter, to: conversion.to };
  const made = await withConverted(file.path, options, conversion.read);
  const isBlank = !made?.some((page) => page.trim() !== '');
  if (!isBlank) await writeFile(kept, JSON.stringify(made));
  return isBlank ? undefined : made;
}

const pages = z.array(z.string());

async function readWhole(path: string): Promise<string> {
  return printable(decodeText(await readFile(path))).trim();
}

/** `document-Sheet 1.csv` → `Sheet 1`. */
function sheetName(path: string): string {
  return basename(path, extname(path)).replace(/^document-/, '');
}
