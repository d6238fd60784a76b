import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { zipOf } from '../../../test/kit/zip.ts';

const base = 'application/vnd.oasis.opendocument';

function odfOf(kind: string, body: string, parts: Record<string, string> = {}): Buffer {
  const content = `<office:document-content>${body}</office:document-content>`;
  return zipOf([
    { name: 'mimetype', body: `${base}.${kind}`, stored: true },
    { name: 'content.xml', body: content },
    ...Object.entries(parts).map(([name, part]) => ({ name, body: part })),
  ]);
}

const p = (text: string) => `<text:p>${text}</text:p>`;

test('reads a text document with headers, notes, comments, changes and tables', async () => {
  const body = `<text:tracked-changes><text:deletion><office:change-info><dc:creator>Bob</dc:creator></office:change-info>${p('gone')}</text:deletion></text:tracked-changes>
    <text:h>Title</text:h>${p('a<text:s text:c="2"/>b<text:tab/>c<text:line-break/>d')}
    ${p(`x<office:annotation><dc:creator>Ada</dc:creator>${p('why')}</office:annotation>y<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('because')}</text:note-body></text:note>`)}
    <table:table><table:table-row><table:table-cell>${p('A')}</table:table-cell><table:table-cell>${p('B')}</table:table-cell></table:table-row></table:table>
    <draw:text-box>${p('boxed')}</draw:text-box>`;
  const styles = `<s><office:styles>${p('none')}</office:styles><office:master-styles><style:header>${p('Letterhead <text:page-number>1</text:page-number>')}</style:header></office:master-styles></s>`;
  const meta = `<m><dc:title>Plan</dc:title><meta:initial-creator>Ada</meta:initial-creator><meta:creation-date>2024-02-29T10:00:00.123456789</meta:creation-date>
    <meta:document-statistic meta:page-count="2" meta:word-count="9"/></m>`;
  const { pages, metadata, truncated } = await readOffice(
    odfOf('text', body, { 'styles.xml': styles, 'meta.xml': meta }),
  );
  expect(pages[0]?.split('\n').map((line) => line.trim())).toEqual([
    'Letterhead',
    '[deleted:',
    'gone',
    ']',
    'Title',
    'a  b\tc',
    'd',
    'x [comment, Ada',
    'why] y [note:',
    'because]',
    'A\tB',
    'boxed',
  ]);
  expect(truncated).toBe(false);
  expect(metadata).toMatchObject({
    title: 'Plan',
    author: 'Ada',
    created: '2024-02-29T10:00:00',
    pages: 2,
    words: 9,
  });
});

test('reads sheets as pages, with repeated cells and hidden sheets', async () => {
  const cell = (text: string, repeat = 1) =>
    `<table:table-cell table:number-columns-repeated="${repeat}">${text && p(text)}</table:table-cell>`;
  const body = `<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>
    <table:table table:name="Open"><table:table-row table:number-rows-repeated="2">${cell('x', 2)}${cell('', 16_000)}</table:table-row><table:table-row table:number-rows-repeated="1000000">${cell('', 16_000)}</table:table-row></table:table>
    <table:table table:name="Shut" table:style-name="ta2"><table:table-row>${cell('y')}</table:table-row></table:table>`;
  const { pages, metadata } = await readOffice(odfOf('spreadsheet', body));
  expect(pages).toEqual(['Open\nx\tx\nx\tx', 'Shut [hidden sheet]\ny']);
  expect(metadata).toEqual({ sheets: ['Open', 'Shut'] });
});

test('reads slides as pages, with notes and charts', async () => {
  const page = (text: string, note: string) =>
    `<draw:page>${p(text)}<presentation:notes>${note && p(note)}</presentation:notes></draw:page>`;
  const { pages } = await readOffice(
    odfOf('presentation', page('one', 'slowly') + page('two', ''), {
      'Object 1/content.xml': `<office:chart>${p('Sales')}</office:chart>`,
    }),
  );
  expect(pages).toEqual(['one\n[notes] slowly', 'two\nSales']);
});

test('an encrypted document is reported as such', async () => {
  const manifest = '<m><manifest:encryption-data/></m>';
  const file = odfOf('text', p('x'), { 'META-INF/manifest.xml': manifest });
  await expect(readOffice(file)).rejects.toMatchObject({ code: 'PASSWORD_PROTECTED' });
});
