import { crc32, deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';

/** Small files that cause problems. */

export async function emptyPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  return Buffer.from(await pdf.save({ addDefaultPage: false }));
}

async function onePage(text: string): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 200]).drawText(text, { x: 20, y: 100, size: 14 });
  return pdf;
}

export async function cutPdf(): Promise<Buffer> {
  const bytes = Buffer.from(await (await onePage('Cut in half')).save({ useObjectStreams: true }));
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

export async function encryptedPdf(): Promise<Buffer> {
  const pdf = await onePage('Secret');
  await pdf.encrypt({ userPassword: 'open sesame', ownerPassword: 'owner' });
  return Buffer.from(await pdf.save());
}

export function smallPng(): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
}

/** A PNG that declares this size. Its pixels compress to almost nothing. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1024))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
