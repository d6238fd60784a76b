import { expect, test } from 'vitest';
import { countTiffPages } from './tiff.ts';

/** A chain of empty IFDs; `last` is the next-IFD offset of the last one. */
function tiff(pages: number, last = 0): Buffer {
  const head = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]);
  const directories = Array.from({ length: pages }, (_, i) => {
    const directory = Buffer.alloc(6);
    directory.writeUInt32LE(i === pages - 1 ? last : 8 + 6 * (i + 1), 2);
    return directory;
  });
  return Buffer.concat([head, ...directories]);
}

test.each([
  ['pages', tiff(3), 3],
  ['a chain that bites its tail', tiff(3, 8), undefined],
  ['a chain that leads out of the file', tiff(3, 9999), undefined],
  ['another file', Buffer.from('no tiff'), undefined],
])('counts %s', (_, bytes, expected) => {
  expect(countTiffPages(bytes)).toBe(expected);
});
