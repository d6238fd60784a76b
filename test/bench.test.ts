import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { smokeSize } from '../bench/speed/bench.ts';
import { chart } from '../bench/speed/chart.ts';
import { compare, missed } from '../bench/speed/figure.ts';
import type { Part } from '../bench/speed/part.ts';
import { parts } from '../bench/speed/parts.ts';
import { table } from '../bench/speed/table.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const candidates = await Promise.all(
  Object.entries<Part>(parts).map(async ([name, part]) => ({
    name,
    part,
    lack: await part.lacks?.(),
  })),
);

/** A few documents through each part of the benchmark: that it works, not how fast. */
describe.each(candidates)('the benchmark of $name', ({ part, lack }) => {
  test.skipIf(lack !== undefined)('gives figures', { timeout: 180_000 }, async () => {
    const figures = await part.run({
      databaseUrl: inject('databaseUrl'),
      redisUrl: inject('redisUrl'),
      directory,
      rounds: 1,
      size: smokeSize,
      note: () => undefined,
    });
    expect(figures.length).toBeGreaterThan(0);
    for (const { ours, theirs } of figures) {
      expect(ours.median).toBeGreaterThan(0);
      if (theirs) expect(theirs.median).toBeGreaterThan(0);
    }
  });
});

describe('figures', () => {
  const comparison = {
    what: 'speed',
    unit: 'files/s',
    against: 'a <peer>',
    target: { atLeast: 0.7 },
  };

  test('compare round by round, so that a slow moment counts for both', () => {
    const { ours, ratio } = compare(comparison, [100, 50, 120], [200, 100, 160]);
    expect(ours).toEqual({ median: 100, least: 50, most: 120 });
    expect(ratio).toEqual({ median: 0.5, least: 0.5, most: 0.75 });
  });

  test('say whether the target was missed', () => {
    expect(missed(compare(comparison, [70], [100]))).toBe(false);
    expect(missed(compare(comparison, [69], [100]))).toBe(true);
    expect(missed(compare({ ...comparison, target: { atMost: 2 } }, [Number.NaN], [100]))).toBe(
      true,
    );
  });

  test('read as a table and as a chart', () => {
    const figures = [compare(comparison, [70], [100])];
    expect(table(figures)).toContain(
      '| speed | 70.0 files/s | a <peer> | 100    | 0.70 × | ≥ 0.7 × | met |',
    );
    expect(chart(figures)).toContain('against a &lt;peer>');
  });
});
