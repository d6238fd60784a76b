import { PermanentError } from '../../errors.ts';
import type { Sample } from '../format.ts';
import { listRootNames } from '../ole/root-names.ts';
import { listZipNames } from '../zip-names.ts';

interface Unsupported {
  title: string;
  /** What to do with such a file. */
  hint: string;
}

const asPdf = (program: string) => `Export it as PDF from ${program} and upload that.`;

/** Formats that are recognised and cannot be read, by media type. */
const table: Readonly<Record<string, Unsupported>> = {
  'application/vnd.ms-xpsdocument': { title: 'XPS document', hint: asPdf('the XPS viewer') },
  'application/vnd.visio': { title: 'Visio drawing', hint: asPdf('Visio') },
  'application/vnd.ms-publisher': { title: 'Publisher document', hint: asPdf('Publisher') },
  'application/onenote': { title: 'OneNote section', hint: asPdf('OneNote') },
  'image/vnd.djvu': { title: 'DjVu document', hint: 'Convert it to PDF (ddjvu -format=pdf).' },
  'image/vnd.dwg': { title: 'AutoCAD drawing', hint: 'Plot it to PDF and upload that.' },
  'image/jp2': { title: 'JPEG 2000 image', hint: 'Convert it to PNG, JPEG or TIFF.' },
};

/** The error for a file of a type without a reader, with the export to use where one is known. */
export function unsupportedType(mediaType: string): PermanentError {
  const known = table[mediaType];
  const message = known
    ? `A ${known.title} (${mediaType}) cannot be read. ${known.hint}`
    : `Files of type ${mediaType} cannot be read`;
  return new PermanentError('UNSUPPORTED_TYPE', message);
}

const signatures: readonly (readonly [begins: string, type: string])[] = [
  ['AT&TFORM', 'image/vnd.djvu'],
  ['AC101', 'image/vnd.dwg'],
  ['AC102', 'image/vnd.dwg'],
  ['AC103', 'image/vnd.dwg'],
  ['\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d', 'application/onenote'],
];
const oleStreams: Readonly<Record<string, string>> = {
  VisioDocument: 'application/vnd.visio',
  Quill: 'application/vnd.ms-publisher',
};

/** Recognises a file that cannot be read, so that it is reported as what it is. */
export async function recogniseUnsupported(sample: Sample): Promise<string | undefined> {
  const start = sample.head.toString('latin1');
  if (start.startsWith('PK\x03\x04')) return findPackage(sample);
  if (!start.startsWith('\xd0\xcf\x11\xe0'))
    return signatures.find(([begins]) => start.startsWith(begins))?.[1];
  const names = await listRootNames(await sample.file());
  return names.flatMap((name) => oleStreams[name] ?? [])[0];
}

const packageHints = ['visio/', '.fdseq', '.fdoc', '.fpage', 'Documents/1'];

/** Packages that would be taken for plain archives otherwise. */
async function findPackage(sample: Sample): Promise<string | undefined> {
  const names = await listZipNames(sample, packageHints);
  if (!names.has('[Content_Types].xml')) return undefined;
  if (names.has('visio/document.xml')) return 'application/vnd.visio';
  const isXps = [...names].some((name) => /^[^/]+\.fdseq(\/|$)/i.test(name));
  return isXps ? 'application/vnd.ms-xpsdocument' : undefined;
}
