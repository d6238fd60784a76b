import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureFields } from '../bench/fields/figures.ts';
import { type Desk, openDesk } from '../bench/ocr/desk.ts';
import { measureReading } from '../bench/ocr/reading.ts';
import { receipts } from '../bench/ocr/receipts.ts';
import { measureRepairs } from '../bench/ocr/repairs.ts';
import { corpora } from './kit/corpora.ts';

/** One receipt through the benchmark of quality: that it works, not how well. */
describe.skipIf(!corpora)('the benchmark of quality', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());

  test('gives figures', { timeout: 600_000 }, async () => {
    const few = await receipts(1);
    const { figures: reading, transcriptions } = await measureReading(desk, few);
    const repairs = await measureRepairs(desk, few, transcriptions, ['salt and pepper']);
    const read = new Map(
      few.map(({ file }, i) => [file, transcriptions[i]] as const).flatMap(pairs),
    );
    const { figures: fields } = await measureFields(corpora ?? '', read);
    expect(fields.length).toBeGreaterThan(0);
    for (const { what, ours } of [...reading, ...repairs])
      expect(ours.median, what).toBeGreaterThanOrEqual(0);
  });
});

function pairs<Key, Value>([key, value]: readonly [Key, Value | undefined]): [Key, Value][] {
  return value === undefined ? [] : [[key, value]];
}
