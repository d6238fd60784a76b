import { expect, test } from 'vitest';
import { metadata, toMetadata } from './metadata.ts';

test('keeps what fits the vocabulary and drops the rest', () => {
  const found = toMetadata({
    title: ' Report\r\n2024\0 ',
    author: '  ',
    created: '2024-02-30T10:00:00Z',
    modified: '2024-02-29T10:00:00+01:00',
    pages: -1,
    sheets: ['One', ' ', 'Two'],
    gps: [91, 0],
    signed: false,
    raw: { Title: 'Report', Empty: '' },
  });
  expect(found).toEqual({
    title: 'Report\n2024',
    modified: '2024-02-29T10:00:00+01:00',
    sheets: ['One', 'Two'],
    signed: false,
    raw: { Title: 'Report' },
  });
  expect(metadata.parse(found)).toEqual(found);
});

test('caps the length of values, their number, and what is kept as it is in the file', () => {
  const long = 'x'.repeat(10_000);
  const raw = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`name ${i}`, 'value']));
  const found = toMetadata({ title: long, to: Array(5000).fill('someone'), raw });
  expect(found.title).toHaveLength(2000);
  expect(found.to).toHaveLength(1000);
  expect(Object.keys(found.raw ?? {})).toHaveLength(200);
  const heavy = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`, long]));
  expect(JSON.stringify(toMetadata({ raw: heavy })).length).toBeLessThan(66_000);
});

test('half of a character is dropped, because no database stores it', () => {
  expect(toMetadata({ title: 'a\ud83db' })).toEqual({ title: 'ab' });
});
