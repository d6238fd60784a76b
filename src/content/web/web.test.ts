import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { zipOf } from '../../../test/kit/zip.ts';

test('reads a page as a browser shows it', async () => {
  const html = `<!-- saved --><!DOCTYPE html><html lang="de"><head><title>A &amp; B</title>
    <meta content="Ann" name="author"><meta name='description' content='x'><style>p{}</style></head>
    <body><script>alert(1)</script><p>Grüße</p><table><tr><td>1<td>2</table></body></html>`;
  const { mediaType, pages, metadata } = await readOffice(Buffer.from(html));
  expect(mediaType).toBe('text/html');
  expect(pages[0]).toMatch(/^Grüße\n+1\t2\n$/);
  expect(metadata).toMatchObject({ title: 'A & B', author: 'Ann', language: 'de', comments: 'x' });
});

test.each([
  ['as it says', Buffer.from('<html><meta charset="windows-1251"><p>\xcf\xf0\xe8</p>', 'latin1')],
  ['by its mark', Buffer.from('\ufeff<html><p>При</p>', 'utf16le')],
  ['as XHTML', Buffer.from('<?xml version="1.0"?>\n<html xmlns="x"><p>При</p></html>')],
])('decodes a page %s', async (_, bytes) => {
  const { mediaType, pages } = await readOffice(bytes);
  expect([mediaType, pages]).toEqual(['text/html', ['При\n']]);
});

test('XML of another kind is no page', async () => {
  const { mediaType } = await readOffice(
    Buffer.from('<?xml version="1.0"?><paragraph>x</paragraph>'),
  );
  expect(mediaType).toBe('application/xml');
});

test('reads the chapters of a book in reading order', async () => {
  const package_ = `<package><metadata><dc:title xmlns:dc="d">Book</dc:title><dc:creator>Ann</dc:creator><dc:date>2024-02-29</dc:date></metadata>
    <manifest><item id="a" href="a.xhtml"/><item id="b" href="b%20b.xhtml"/></manifest>
    <spine><itemref idref="b"/><itemref idref="missing"/><itemref idref="a"/></spine></package>`;
  const book = zipOf([
    { name: 'mimetype', body: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      body: '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    },
    { name: 'OEBPS/book.opf', body: package_ },
    { name: 'OEBPS/a.xhtml', body: '<html><p>Last</p></html>' },
    { name: 'OEBPS/b b.xhtml', body: '<html><p>First</p></html>' },
  ]);
  const { mediaType, pages, metadata } = await readOffice(book);
  expect([mediaType, pages]).toEqual(['application/epub+zip', ['First', 'Last']]);
  expect(metadata).toMatchObject({ title: 'Book', author: 'Ann', created: '2024-02-29', pages: 2 });
});
