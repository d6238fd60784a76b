import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';

async function read(bytes: string | Buffer, name?: string) {
  const { pages, ...read } = await readOffice(Buffer.from(bytes), {}, undefined, name);
  return { ...read, text: pages.join('\f') };
}

test('JSON is read as lines of names and values', async () => {
  const json =
    '{"name":"Ada \\u00e9","born":1815,"tags":["a","b"],"in":{"city":"London"},"x":null}';
  expect(await read(json)).toMatchObject({
    mediaType: 'application/json',
    text: 'name: Ada é\nborn: 1815\ntags:\n  - a\n  - b\nin:\n  city: London\nx: null',
  });
});

test('JSON Lines, and what is behind the valid part, are read as well', async () => {
  expect((await read('{"a":1}\n{"a":2}')).text).toBe('a: 1\na: 2');
  expect((await read('[{"a":1,"b":2},{"a":3}]')).text).toBe('-\n  a: 1\n  b: 2\n-\n  a: 3');
  expect((await read('{"a":1, oops "b": 2}')).text).toBe('a: 1\noops "b": 2}');
});

test('JSON that is nested without end is read in linear time', async () => {
  const { text } = await read(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`);
  expect(text).toBe('- 1');
});

test('XML is read as the names and texts of its elements', async () => {
  const xml = [
    '<?xml version="1.0"?><!DOCTYPE order><o:order xmlns:o="urn:x" id="7">',
    '<o:to>Ada <b>King</b></o:to><amount currency="EUR">12.50</amount><empty/>',
    '<group><note>Thanks</note></group></o:order>',
  ].join('\n');
  expect(await read(xml)).toMatchObject({
    mediaType: 'application/xml',
    text: 'order (id 7):\n  to: Ada King\n  amount (currency EUR): 12.50\n  group:\n    note: Thanks',
  });
});

test('malformed XML is read as it is', async () => {
  const xml = '<a><b>text</b>';
  expect(await read(xml)).toMatchObject({ text: xml, truncated: false });
});

test('entities of XML are not expanded', async () => {
  const xml = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "boom">]><a>&b;</a>';
  expect((await read(xml)).text).toBe(xml);
});

test.each([
  ['commas and quotes', 'a,b,c\n1,"x, ""y""",3\n4,"two\nlines",6\n', 'text/csv'],
  ['semicolons', 'a;b;c\n1;x, "y";3\n4;two lines;6\n', 'text/csv'],
  ['tabs', 'a\tb\tc\n1\tx, "y"\t3\n4\ttwo lines\t6\n', 'text/tab-separated-values'],
])('a table with %s is read as rows', async (_, table, mediaType) => {
  expect(await read(table)).toMatchObject({
    mediaType,
    text: 'a\tb\tc\n1\tx, "y"\t3\n4\ttwo lines\t6',
  });
});

test('a table in another encoding is read, too', async () => {
  const bytes = Buffer.from('\ufeffa;b\n1;é\n', 'utf16le');
  expect(await read(bytes, 'x.csv')).toMatchObject({ mediaType: 'text/csv', text: 'a\tb\n1\té' });
});

test('rows beyond the limit are left out, and reported', async () => {
  const table = Buffer.from('a,b,c\n1,2,3\n4,5,6\n');
  expect(await readOffice(table, { maxRows: 2 })).toMatchObject({
    pages: ['a\tb\tc\n1\t2\t3'],
    truncated: true,
  });
});

test('a name makes a table of what could be text, but not of what cannot be a table', async () => {
  const lines = 'Smith, John\nDoe, Jane\n';
  expect((await read(lines)).mediaType).toBe('text/plain');
  expect((await read(lines, 'people.csv')).mediaType).toBe('text/csv');
  expect((await read('Dear Sir,\nthank you.\nYours', 'x.csv')).mediaType).toBe('text/plain');
});

test('running text with commas is no table', async () => {
  const text = 'I came, I saw, I won\nWe came, we saw, we lost\nThey came, they saw, they left\n';
  expect((await read(text)).mediaType).toBe('text/plain');
});

test('Markdown is named by its title', async () => {
  const text = '---\nauthor: "Ada"\ndate: 2026-02-03\n---\n# Notes\n\nSome *text*.\n';
  expect(await read(text, 'notes.md')).toMatchObject({
    mediaType: 'text/markdown',
    text,
    metadata: { title: 'Notes', author: 'Ada', created: '2026-02-03' },
  });
});
