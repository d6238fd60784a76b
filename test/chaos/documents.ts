import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { addLines } from '../kit/documents.ts';
import { hostilePdfs } from '../kit/hostile-pdfs.ts';
import { oneLine, smallTags, ublInvoice } from '../kit/long-documents.ts';
import { zipOf } from '../kit/zip.ts';
import type { Vendors } from './vendors.ts';

export interface Sample {
  name: string;
  bytes: Buffer;
  /** The entries of an archive. */
  inside?: Buffer[];
  /** Made to do harm. Its end does not count, as long as it has one. */
  isHarmful?: boolean;
}

const linesOf = (number: number) => [
  `Invoice number ${number}`,
  'Date: 2026-03-01',
  `Total: ${number}.00 EUR`,
];

/** A document that needs no repair. Every number is used once, so that no result is reused. */
export async function makeInvoice(name: string, number: number): Promise<Sample> {
  const pdf = await PDFDocument.create();
  await addLines(pdf, linesOf(number));
  return { name: `${name}-${number}.pdf`, bytes: Buffer.from(await pdf.save()) };
}

/** A document of poor quality: it is repaired and read again. */
export async function makeScan(name: string, number: number, vendors: Vendors): Promise<Sample> {
  const color = { r: number % 256, g: Math.floor(number / 256), b: 128 };
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: color } })
    .png()
    .toBuffer();
  vendors.script(bytes, linesOf(number));
  return { name: `${name}-${number}.png`, bytes };
}

/** An honest invoice that once stopped whole processes. */
export function makeLongInvoice(number: number): Sample {
  const bytes = Buffer.from(`${ublInvoice(1000)}<!-- ${number} -->`);
  return { name: `long-${number}.xml`, bytes };
}

/** Documents that once stopped whole processes, each with content of its own. */
export function makeHarmful(number: number): Sample[] {
  const mark = `<!-- ${number} -->`;
  const files: Record<string, string | Buffer> = {
    'small-tags.xml': `${smallTags(9_000_000)}${mark}`,
    'one-line.txt': `${oneLine(220_000)}${number}`,
    'nested-forms.pdf': Buffer.concat([hostilePdfs['nested forms'](), Buffer.from(`%${number}`)]),
    'tiny-tiles.pdf': Buffer.concat([hostilePdfs['tiny tiles'](), Buffer.from(`%${number}`)]),
  };
  return Object.entries(files).map(([name, content]) => ({
    name: `harmful-${number}-${name}`,
    bytes: Buffer.from(content),
    isHarmful: true,
  }));
}

/** An archive of documents that need no repair. */
export async function makeArchive(name: string, numbers: number[]): Promise<Sample> {
  const invoices = await Promise.all(numbers.map((number) => makeInvoice('inside', number)));
  const bytes = zipOf(invoices.map((invoice) => ({ name: invoice.name, body: invoice.bytes })));
  return {
    name: `${name}-${numbers.join('-')}.zip`,
    bytes,
    inside: invoices.map((invoice) => invoice.bytes),
  };
}
