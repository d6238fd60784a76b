import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { addLines } from '../kit/documents.ts';
import { zipOf } from '../kit/zip.ts';
import type { Vendors } from './vendors.ts';

export interface Sample {
  name: string;
  bytes: Buffer;
  /** The entries of an archive. */
  inside?: Buffer[];
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
