import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { type PdfDocument, withMemory, withPdf } from './document.ts';

const entries = [
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
] as const;

/** The information dictionary of a PDF, and whether it has signatures and a form. */
export function readPdfMetadata(file: ContentFile): Promise<Metadata> {
  return withPdf(file, (document) => {
    const { pdf, handle, pages } = document;
    const raw = Object.fromEntries(entries.map((name) => [name, infoEntry(document, name)]));
    return toMetadata({
      title: raw.Title,
      author: raw.Author,
      subject: raw.Subject,
      keywords: raw.Keywords,
      application: raw.Creator,
      producer: raw.Producer,
      created: parsePdfDate(raw.CreationDate),
      modified: parsePdfDate(raw.ModDate),
      pages,
      signed: pdf._FPDF_GetSignatureCount(handle) > 0,
      form: pdf._FPDF_GetFormType(handle) > 0,
      raw,
    });
  });
}

const longestEntry = 64 * 1024;

function infoEntry({ pdf, handle }: PdfDocument, name: string): string {
  const tag = Buffer.from(`${name}\0`);
  return withMemory(pdf, tag.length, (at) => {
    pdf.HEAPU8.set(tag, at);
    const length = pdf._FPDF_GetMetaText(handle, at, 0, 0);
    if (length <= 2 || length > longestEntry) return '';
    return withMemory(pdf, length, (pointer) => {
      pdf._FPDF_GetMetaText(handle, at, pointer, length);
      return new TextDecoder('utf-16le').decode(pdf.HEAPU8.subarray(pointer, pointer + length - 2));
    });
  });
}

const pattern =
  /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)?(\d\d)?)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/;

/** `D:20240229100000+01'00'` as ISO 8601. Month and day default to 1, missing times to 0. */
export function parsePdfDate(value: string | undefined): string | undefined {
  const found = pattern.exec(value?.trim() ?? '');
  if (!found) return undefined;
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00'] = found;
  const [utc, sign, zoneHour, zoneMinute = '00'] = found.slice(7);
  const zone = sign ? `${sign}${zoneHour}:${zoneMinute}` : (utc ?? '');
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}${zone}`;
  return `${year}-${month}-${day}${time}`;
}
