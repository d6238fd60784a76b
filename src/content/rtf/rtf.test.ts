import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';

const textOf = async (rtf: string | Buffer) => (await readOffice(Buffer.from(rtf))).pages[0];
const document = (body: string) =>
  `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 Mincho;}}${body}}`;

test.each([
  ['paragraphs and tabs', 'a\\tab b\\par\r\nc', 'a\tb\nc'],
  ['code pages of the document', "gr\\'fcn", 'grün'],
  ['code pages of fonts', "{\\f1 \\'cf\\'f0\\'e8}", 'При'],
  ['characters of two bytes', "{\\f2 \\'82\\'a0}", 'あ'],
  ['Unicode, without the replacement', '\\u1055?\\uc2\\u-3913ab.', 'П\uf0b7.'],
  ['surrogate pairs', '\\u-10179?\\u-8704?', '😀'],
  ['Unicode in two versions', '{\\upr{old}{\\*\\ud{new}}}', 'new'],
  [
    'results of fields, not their codes',
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}',
    'link',
  ],
  ['tables as rows', 'A\\cell B\\cell\\row C\\cell D\\cell\\row', 'A\tB\nC\tD'],
  ['hidden text', 'a{\\v hidden}', 'ahidden'],
  ['deleted text, marked', 'a {\\deleted b} c', 'a [deleted: b] c'],
  [
    'notes and comments',
    'x{\\footnote why}{\\*\\atnauthor Ada}{\\*\\annotation no}',
    'xwhy\n[comment, Ada] no',
  ],
  [
    'text boxes once',
    '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt boxed}}{\\shprslt boxed}}',
    'boxed',
  ],
  ['quotes and dashes', '\\ldblquote a\\rdblquote\\emdash\\~\\_\\{', '“a”—\u00a0-{'],
  ['nothing of pictures and unknown groups', '{\\pict 00ff}{\\*\\unknown x}y', 'y'],
])('reads %s', async (_, body, text) => {
  expect(await textOf(document(body))).toBe(text);
});

test('binary data is skipped, whatever it contains', async () => {
  expect(await textOf(document('{\\pict\\bin5 }}}}}}after'))).toBe('after');
});

test('has the metadata of its information group, dates without a zone', async () => {
  const info =
    '{\\info{\\title Plan}{\\author Ad\\u233?l}{\\operator Bob}{\\creatim\\yr2024\\mo2\\dy29\\hr10\\min5}\\nofpages3}';
  const { metadata } = await readOffice(Buffer.from(document(`${info}x`)));
  expect(metadata).toMatchObject({
    title: 'Plan',
    author: 'Adél',
    lastSavedBy: 'Bob',
    created: '2024-02-29T10:05:00',
    pages: 3,
  });
});

test('deep nesting and unbalanced braces are read', async () => {
  expect(await textOf(`{\\rtf1 a${'{'.repeat(200_000)}b${'}'.repeat(300_000)}`)).toContain('a');
});
