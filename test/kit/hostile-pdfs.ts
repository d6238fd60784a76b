import { deflateSync } from 'node:zlib';
import type { NamedFile } from './pathological.ts';
import { writePdf } from './write-pdf.ts';

/** PDFs of one to three kilobytes that cost minutes, or once did. */
export const hostilePdfs = {
  'nested forms': nestedForms,
  'self reference': selfReference,
  'flate chain': flateChain,
  'thousands of images': manyImages,
  'tiny tiles': tinyTiles,
};

export function hostilePdfFiles(): NamedFile[] {
  return Object.entries(hostilePdfs).map(([name, make]) => ({
    name: `${name.replaceAll(' ', '-')}.pdf`,
    text: new Uint8Array(make()),
  }));
}

const inForm = { '/XObject': '<< /X 5 0 R >>' };

/** Ten forms, each drawn ten times by the one before it: the last is drawn 10^9 times. */
function nestedForms(): Buffer {
  const forms = Array.from({ length: 9 }, (_, i) => form('/X Do '.repeat(10), 6 + i));
  return onePage('/X Do', inForm, [...forms, form('BT /F1 12 Tf (Total 12.50) Tj ET')]);
}

function selfReference(): Buffer {
  return onePage('/X Do', inForm, [form('/X Do '.repeat(64), 5)]);
}

/** Compressed twice: half a gigabyte of blanks becomes a kilobyte. */
function flateChain(): Buffer {
  const once = deflateSync(Buffer.alloc(500_000_000, ' '), { level: 9 });
  const data = deflateSync(once, { level: 9 });
  return writePdf([...head({}), stream(data, '/Filter [/FlateDecode /FlateDecode]')]);
}

function manyImages(): Buffer {
  const pixel = stream(
    Buffer.from([0]),
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
  );
  return onePage('/X Do '.repeat(200_000), inForm, [pixel]);
}

function tinyTiles(): Buffer {
  const tile = stream(
    Buffer.from('0 0 .001 .001 re f'),
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 .01 .01] ' +
      '/XStep .01 /YStep .01 /Resources << >>',
  );
  const content = '/Pattern cs /P scn 0 0 600 800 re f '.repeat(1000);
  return onePage(content, { '/Pattern': '<< /P 5 0 R >>' }, [tile]);
}

function form(content: string, child?: number): Buffer {
  const objects = child === undefined ? '' : `/XObject << /X ${child} 0 R >>`;
  return compressed(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 ${font} >> ${objects} >>`,
  );
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function onePage(content: string, resources: Record<string, string>, objects: Buffer[]): Buffer {
  return writePdf([...head(resources), compressed(content, ''), ...objects]);
}

/** Objects 1 to 3. The content of the page is object 4. */
function head(resources: Record<string, string>): Buffer[] {
  const listed = Object.entries(resources).flat().join(' ');
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << ${listed} >> >>`,
  ].map((object) => Buffer.from(object));
}

const compressed = (content: string, entries: string): Buffer =>
  stream(deflateSync(content, { level: 9 }), `/Filter /FlateDecode ${entries}`);

const stream = (data: Buffer, entries: string): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
