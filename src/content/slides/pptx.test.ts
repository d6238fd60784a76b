import { expect, test } from 'vitest';
import { officeOf, readOffice } from '../../../test/kit/office.ts';

const shape = (text: string, inner = '') =>
  `<p:sp>${inner}<a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;
const placeholder = '<p:nvPr><p:ph type="body"/></p:nvPr>';

test('reads slides in the order in which they are shown, with all that belongs to them', async () => {
  const file = officeOf('ppt', [
    {
      name: 'ppt/presentation.xml',
      body: '<p:presentation><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:presentation>',
      refers: [
        ['slide', 'ppt/slides/slide1.xml'],
        ['slide', 'ppt/slides/slide2.xml'],
        ['commentAuthors', 'ppt/authors.xml'],
      ],
    },
    { name: 'ppt/authors.xml', body: '<p:a><p:cmAuthor id="1" name="Ada"/></p:a>' },
    {
      name: 'ppt/slides/slide1.xml',
      body: `<p:sld show="0">${shape('Second')}</p:sld>`,
      refers: [['notesSlide', 'ppt/notes/n1.xml']],
    },
    { name: 'ppt/notes/n1.xml', body: `<p:notes>${shape('Speak slowly', placeholder)}</p:notes>` },
    {
      name: 'ppt/slides/slide2.xml',
      body: `<p:sld>${shape('First', placeholder)}<a:tbl><a:tr><a:tc><a:p><a:r><a:t>A</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>B</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>`,
      refers: [
        ['slideLayout', 'ppt/layout.xml'],
        ['comments', 'ppt/comments.xml'],
        ['chart', 'ppt/chart.xml'],
      ],
    },
    { name: 'ppt/chart.xml', body: '<c:ser><c:val><c:pt><c:v>42</c:v></c:pt></c:val></c:ser>' },
    {
      name: 'ppt/layout.xml',
      body: `<p:l>${shape('Click to edit', placeholder)}${shape('Confidential')}</p:l>`,
      refers: [['slideMaster', 'ppt/master.xml']],
    },
    { name: 'ppt/master.xml', body: `<p:m>${shape('Northwind')}</p:m>` },
    {
      name: 'ppt/comments.xml',
      body: '<p:l><p:cm authorId="1"><p:text>Why?</p:text></p:cm></p:l>',
    },
  ]);
  const { mediaType, pages, truncated } = await readOffice(file);
  expect(mediaType).toMatch(/presentationml/);
  expect(pages).toEqual([
    'First\nA\tB\n42\nConfidential\nNorthwind\n[comment, Ada] Why?',
    '[hidden slide]\nSecond\n[notes] Speak slowly',
  ]);
  expect(truncated).toBe(false);
});
