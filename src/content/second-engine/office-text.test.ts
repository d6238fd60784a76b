import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { officeOf } from '../../../test/kit/office.ts';
import { installed } from '../../../test/kit/programs.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { zipOf } from '../../../test/kit/zip.ts';
import { inspectFile, readText } from './office-text.ts';

const odt = 'application/vnd.oasis.opendocument.text';
const odp = 'application/vnd.oasis.opendocument.presentation';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const wordprocessing = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const schema = 'urn:oasis:names:tc:opendocument:xmlns:';

const openDocument = (type: string, body: string) =>
  zipOf([
    { name: 'mimetype', body: type, stored: true },
    {
      name: 'META-INF/manifest.xml',
      body: `<m:manifest xmlns:m="${schema}manifest:1.0"><m:file-entry m:full-path="/" m:media-type="${type}"/></m:manifest>`,
    },
    {
      name: 'content.xml',
      body: `<o:document-content xmlns:o="${schema}office:1.0" xmlns:t="${schema}text:1.0" xmlns:d="${schema}drawing:1.0" xmlns:svg="${schema}svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><o:body>${body}</o:body></o:document-content>`,
    },
  ]);
/** Only a field: its value exists only where the field is computed. */
const counting = openDocument(odt, '<o:text><t:p><t:page-count/></t:p></o:text>');
/** Only a picture, which is somewhere else. */
const picturing = (url: string) =>
  openDocument(
    odp,
    `<o:presentation><d:page><d:frame svg:width="5cm" svg:height="5cm"><d:image xlink:href="${url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></d:frame></d:page></o:presentation>`,
  );

async function read(bytes: Buffer, mediaType: string) {
  const path = join(await temporaryDirectory(), 'file');
  writeFileSync(path, bytes);
  const { pages } = await inspectFile({ path, mediaType, maxPages: 100, maxPixels: 1 });
  const read = await readText({ path, mediaType, first: 1, last: pages, maxText: 100_000 });
  const text = read.pages.map((page) => page.text).join('\f');
  return { text, engine: read.engine, files: readdirSync(dirname(path)) };
}

describe.skipIf(!installed.soffice)('with LibreOffice', { timeout: 120_000 }, () => {
  test('a document in which nothing was found is read by it, and it is named', async () => {
    expect(await read(counting, odt)).toEqual({
      text: '1',
      engine: 'libreoffice',
      files: ['file', 'file.libreoffice.json'],
    });
  });

  test('a document that was read is not read again', async () => {
    const body = `<w:document xmlns:w="${wordprocessing}"><w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:document>`;
    const bytes = officeOf('word', [{ name: 'word/document.xml', body }]);
    expect(await read(bytes, docx)).toEqual({ text: 'Text', engine: undefined, files: ['file'] });
  });

  test.skipIf(!corpora)('what is cut off is not taken for plain text', async () => {
    const bytes = readFileSync(join(corpora ?? '', 'formats/poi/spreadsheet/31661.xls'));
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    await expect(read(half, 'application/vnd.ms-excel')).rejects.toMatchObject({
      code: 'INVALID_FILE',
    });
  });

  test('a hostile document is not given to it', async () => {
    const body = `<!DOCTYPE w:document [<!ENTITY a "b">]><w:document xmlns:w="${wordprocessing}"><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>`;
    const bytes = officeOf('word', [{ name: 'word/document.xml', body }]);
    await expect(read(bytes, docx)).rejects.toThrow(/document type declaration/);
  });

  test('what a document refers to is not fetched', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await read(picturing(`http://127.0.0.1:${port}/a.png`), odp);
    expect(asked).toEqual([]);
  });
});

test('without LibreOffice the first answer stands', async () => {
  vi.stubEnv('PATH', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await read(counting, odt)).toMatchObject({ text: '', engine: undefined });
  await expect(read(Buffer.from('nothing'), docx)).rejects.toMatchObject({ code: 'INVALID_FILE' });
});
