import { expect, test } from 'vitest';
import { officeOf, type Part, readOffice } from '../../../test/kit/office.ts';
import { zipOf } from '../../../test/kit/zip.ts';

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const p = (inner: string) => `<w:p>${inner}</w:p>`;
const document = (body: string, rest: Part[] = [], refers: Part['refers'] = []) =>
  officeOf('word', [
    {
      name: 'word/document.xml',
      body: `<w:document><w:body>${body}</w:body></w:document>`,
      refers,
    },
    ...rest,
  ]);
const textOf = async (file: Buffer) => (await readOffice(file)).pages[0];

test('reads everything that a document holds, each text once', async () => {
  const part = (name: string, root: string, text: string) => ({
    name: `word/${name}.xml`,
    body: `<w:${root}>${text}</w:${root}>`,
  });
  const chart = `<c:chart><a:p><a:r><a:t>Sales</a:t></a:r></a:p><c:ser><c:tx><c:v>North</c:v></c:tx>
    <c:cat><c:pt><c:v>Q1</c:v></c:pt><c:pt><c:v>Q2</c:v></c:pt></c:cat>
    <c:val><c:formatCode>0.0%</c:formatCode><c:pt><c:v>0.25</c:v></c:pt></c:val></c:ser></c:chart>`;
  const file = document(
    p(run('Body')),
    [
      part('header1', 'hdr', p(run('Letterhead'))),
      part('header2', 'hdr', p(run('Letterhead'))),
      part('footer1', 'ftr', p(run('Page 1'))),
      part('footnotes', 'footnotes', `<w:footnote>${p(run('A note'))}</w:footnote>`),
      part('endnotes', 'endnotes', `<w:endnote>${p(run('An end'))}</w:endnote>`),
      part(
        'comments',
        'comments',
        `<w:comment w:author="Ada" w:date="2024-01-02T03:04:05Z">${p(run('Really?'))}</w:comment>`,
      ),
      { name: 'word/charts/chart1.xml', body: chart },
      {
        name: 'word/diagrams/data1.xml',
        body: '<dgm:pt><dgm:t>\n<a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt>',
      },
    ],
    [
      ['header', 'word/header1.xml'],
      ['header', 'word/header2.xml'],
      ['footer', 'word/footer1.xml'],
      ['footnotes', 'word/footnotes.xml'],
      ['endnotes', 'word/endnotes.xml'],
      ['comments', 'word/comments.xml'],
      ['chart', 'word/charts/chart1.xml'],
      ['diagramData', 'word/diagrams/data1.xml'],
    ],
  );
  expect((await textOf(file))?.split(/\n+/)).toEqual([
    'Letterhead',
    'Body',
    'Sales',
    'North',
    'Q1\tQ2',
    '25.0%',
    'Plan',
    'A note',
    'An end',
    'Page 1',
    '[comment, Ada, 2024-01-02T03:04:05Z] Really?',
  ]);
});

test.each([
  [
    'tabs and breaks',
    p(
      `<w:pPr><w:tabs><w:tab/></w:tabs></w:pPr>${run('a')}<w:r><w:tab/><w:t>b</w:t><w:br/></w:r>${run('c')}`,
    ),
    'a\tb\nc',
  ],
  [
    'tracked changes, with deleted text marked',
    p(
      `${run('We ')}<w:del><w:r><w:delText>never</w:delText></w:r><w:r><w:delText> ever</w:delText></w:r></w:del><w:ins>${run('always')}</w:ins>${run(' pay')}`,
    ),
    'We [deleted: never ever]always pay',
  ],
  [
    'tables as rows',
    `<w:tbl><w:tr><w:tc>${p(run('Item'))}${p(run('one'))}</w:tc><w:tc>${p(run('Price'))}</w:tc></w:tr><w:tr><w:tc>${p('')}</w:tc><w:tc>${p(run('2'))}</w:tc></w:tr></w:tbl>${p(run('after'))}`,
    'Item one\tPrice\n\t2\nafter',
  ],
  [
    'a text box once, not its copy for old programs',
    p(
      `${run('x')}<mc:AlternateContent><mc:Choice><w:txbxContent>${p(run('boxed'))}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p(run('boxed'))}</w:txbxContent></mc:Fallback></mc:AlternateContent>`,
    ),
    'x\nboxed',
  ],
  ['a watermark', p('<v:shape><v:textpath string="DRAFT"/></v:shape>'), 'DRAFT'],
  [
    'results of fields, not their codes',
    p(`<w:r><w:instrText>PAGE</w:instrText></w:r>${run('7')}`),
    '7',
  ],
  ['other prefixes', '<n:p><n:r><n:t>x &amp; y</n:t></n:r></n:p>', 'x & y'],
])('reads %s', async (_, body, text) => {
  expect(await textOf(document(body))).toBe(text);
});

test('has the metadata of its properties', async () => {
  const core = `<cp:coreProperties><dc:title>Minutes</dc:title><dc:creator>Ada</dc:creator>
    <cp:lastModifiedBy>Bob</cp:lastModifiedBy><dcterms:created>2024-02-29T10:00Z</dcterms:created></cp:coreProperties>`;
  const app =
    '<Properties><Pages>3</Pages><Company>Northwind</Company><Template>Normal</Template></Properties>';
  const { metadata } = await readOffice(
    document(p(run('x')), [
      { name: 'docProps/core.xml', body: core },
      { name: 'docProps/app.xml', body: app },
    ]),
  );
  expect(metadata).toMatchObject({
    title: 'Minutes',
    author: 'Ada',
    lastSavedBy: 'Bob',
    created: '2024-02-29T10:00:00Z',
    pages: 3,
    company: 'Northwind',
    template: 'Normal',
    raw: { creator: 'Ada' },
  });
});

test('what is damaged is read as far as possible, and said to be truncated', async () => {
  const file = document(`${p(run('whole'))}<w:p><w:r><w:t>half</w:r></w:p>`);
  expect(await readOffice(file)).toMatchObject({ pages: ['whole\nhalf'], truncated: true });
});

test('a damaged part costs what follows the damage, and nothing else', async () => {
  const notes = `<w:footnotes>${p(run('A note'.repeat(5000)))}</w:footnotes>`;
  const file = document(
    p(run('Body')),
    [{ name: 'word/footnotes.xml', body: notes }],
    [['footnotes', 'word/footnotes.xml']],
  );
  const at = file.indexOf('word/footnotes.xml') + 'word/footnotes.xml'.length;
  file.fill(0xff, at + 20, at + 30);
  const { pages, truncated } = await readOffice(file);
  expect(pages[0]).toMatch(/^Body/);
  expect(truncated).toBe(true);
});

test('bytes after the archive do not matter', async () => {
  expect(await textOf(Buffer.concat([document(p(run('x'))), Buffer.from('junk')]))).toBe('x');
});

test.each([
  ['declares entities', '<!DOCTYPE x [<!ENTITY a "b">]><w:p/>'],
  ['is nested too deeply', `${'<w:p>'.repeat(200_000)}${'</w:p>'.repeat(200_000)}`],
])('a document that %s is refused', async (_, body) => {
  const file = officeOf('word', [{ name: 'word/document.xml', body }]);
  await expect(readOffice(file)).rejects.toMatchObject({ code: 'INVALID_FILE' });
});

test.each([
  ['in one text', Buffer.alloc(100_000_000, 'x ')],
  [
    'in paragraphs',
    Buffer.alloc(100_000_000, '<w:p><w:r><w:t>xxxxxxxxxxxxxxxxxxxxxxx</w:t></w:r></w:p>'),
  ],
])('100 MB of text %s is cut, in little memory', async (_, filling) => {
  const body = Buffer.concat([Buffer.from('<w:p><w:r><w:t>'), filling]);
  const before = process.memoryUsage.rss();
  const result = await readOffice(officeOf('word', [{ name: 'word/document.xml', body }])).catch(
    ({ code }) => code,
  );
  expect(result === 'INVALID_FILE' || result.truncated).toBe(true);
  expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 2 ** 20);
});

test('an archive with a folder named word is an archive', async () => {
  await expect(readOffice(zipOf([{ name: 'word/a.txt', body: 'x' }]))).rejects.toThrow(
    'application/zip has no text',
  );
});
