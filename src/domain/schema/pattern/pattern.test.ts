import { describe, expect, test } from 'vitest';
import { faultOfPattern, findForm, hasForm } from './index.ts';

describe('a pattern', () => {
  test.each([
    '[A-Z]{2}-\\d{6}',
    '^\\d{4}/\\d+$',
    '(?:AB|CD)?\\d{3,8}',
    '\\p{L}+ \\d+',
    '[\\w.]+@[\\w.]+',
    '(\\d{2}\\.){3}',
    'A|B|C',
  ])('%s is taken', (source) => expect(faultOfPattern(source)).toBeUndefined());

  test.each([
    ['(a+)+', 'may take too long'],
    ['(a|a)*', 'may take too long'],
    ['(a?){60}', 'may take too long'],
    ['\\w*\\w*\\w*x', 'may take too long'],
    ['((((){99}){99}){99}){99}', 'may take too long'],
    ['a{101}', 'exceeds 100, the longest value'],
    ['(\\d)\\1', '"\\" at 5 is not supported'],
    ['(?=a)b', 'is not supported'],
    ['(?<name>a)', 'is not supported'],
    ['a+?', 'is not supported'],
    ['(a', 'A "(" is not closed'],
    ['a)', '")" at 2 has no matching "("'],
    ['[z-a]', 'Invalid regular expression'],
    ['a'.repeat(201), 'is longer than 200 characters'],
  ])('%s is refused: %s', (source, fault) => expect(faultOfPattern(source)).toContain(fault));

  test('is done with what it almost fits', () => {
    for (const source of ['\\w*\\w*x', '(?:a|aa){0,5}(?:a?b?){0,5}x', '[a-z]{0,60}[a-z]{0,60}x']) {
      expect(faultOfPattern(source)).toBeUndefined();
      expect(findForm('a'.repeat(400), source)).toBeUndefined();
    }
  });

  test('is for the whole value', () => {
    expect(hasForm('AB-1', '[A-Z]{2}-\\d')).toBe(true);
    expect(hasForm('AB-12', '[A-Z]{2}-\\d')).toBe(false);
    expect(hasForm('B', 'A|B')).toBe(true);
    expect(hasForm('AX', 'A|B')).toBe(false);
    expect(hasForm('a'.repeat(101), 'a+')).toBe(false);
    expect(hasForm('a😀b', 'a.b')).toBe(true);
  });

  test('finds what has its form between other words', () => {
    expect(findForm(' no. AB-1, of', '[A-Z]{2}-\\d')).toEqual({ value: 'AB-1', start: 5, end: 9 });
    expect(findForm('XAB-12', '[A-Z]{2}-\\d')).toBeUndefined();
  });
});

/** Random patterns of the supported syntax, from a seed. */
function* patterns(seed: number, count: number): Iterable<string> {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const piece = (depth: number): string => {
    const inner =
      depth > 0 && below(3) === 0
        ? `(?:${Array.from({ length: 1 + below(3) }, () => run(depth - 1)).join('|')})`
        : one(['a', 'b', '-', '[ab]', '[^b]', '\\w', '\\d', '\\s', '.', '\\p{L}', 'é', '\\.']);
    return inner + one(['', '', '', '?', '*', '+', '{2}', '{1,3}', '{0,2}', '{2,}']);
  };
  const run = (depth: number): string =>
    Array.from({ length: 1 + below(3) }, () => piece(depth)).join('');
  for (let i = 0; i < count; i++) yield run(2);
}

test('patterns match what they match in JavaScript', () => {
  const texts = ['', 'a', 'ab', 'aab-b', 'b a1', '-é.a', 'abba ab', '1é b-', 'a'.repeat(20)];
  let compared = 0;
  for (const source of patterns(7, 3_000)) {
    if (faultOfPattern(source)) continue;
    const whole = new RegExp(`^(?:${source})$`, 'u');
    const within = new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'u');
    for (const text of texts) {
      compared++;
      expect([source, text, hasForm(text, source)]).toEqual([source, text, whole.test(text)]);
      const found = within.exec(text);
      expect([source, text, findForm(text, source)?.value]).toEqual([
        source,
        text,
        found?.[0] || undefined,
      ]);
    }
  }
  expect(compared).toBeGreaterThan(5_000);
});

test('no pattern is slow, however many ways there are to match', () => {
  const pattern = '(?:-{0,2}){11}x';
  expect(faultOfPattern(pattern)).toBeUndefined();
  const before = process.cpuUsage();
  for (let field = 0; field < 10; field++) {
    for (let line = 0; line < 20; line++)
      expect(findForm('-'.repeat(100), pattern)).toBeUndefined();
  }
  const { user } = process.cpuUsage(before);
  // A matcher that tries all ways needs more than a second for one line.
  expect(user / 1e6).toBeLessThan(5);
});
