import { expect, test } from 'vitest';
import { bytesField, fieldsOf, numberField, readNumbers, readStrings } from './protobuf.ts';

test('what is written reads as it was', () => {
  const message = Buffer.concat([
    numberField(1, 300),
    bytesField(2, 'name'),
    numberField(1, 2 ** 40),
    bytesField(2, Buffer.alloc(200, 'a')),
  ]);
  expect(readNumbers(message, 1)).toEqual([300, 2 ** 40]);
  expect(readStrings(message, 2)).toEqual(['name', 'a'.repeat(200)]);
});

test('numbers may be packed into one field', () => {
  expect(readNumbers(bytesField(8, Buffer.from([3, 0xac, 0x02])), 8)).toEqual([3, 300]);
});

test('numbers of fixed size are passed over, and every field can be copied as it stands', () => {
  const four = Buffer.from([2 * 8 + 5, 1, 2, 3, 4]);
  const eight = Buffer.from([3 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8]);
  const message = Buffer.concat([four, eight, numberField(4, 7)]);
  expect(Buffer.concat([...fieldsOf(message)].map(({ raw }) => raw))).toEqual(message);
  expect(
    [...fieldsOf(message)].map(({ id, value, bytes }) => [id, value ?? bytes?.length]),
  ).toEqual([
    [2, 4],
    [3, 8],
    [4, 7],
  ]);
});
