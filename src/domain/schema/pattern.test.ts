import { describe, expect, test } from 'vitest';
import { faultOfPattern, findForm, hasForm } from './pattern.ts';

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
  });

  test('finds what has its form between other words', () => {
    expect(findForm(' no. AB-1, of', '[A-Z]{2}-\\d')).toEqual({ value: 'AB-1', start: 5, end: 9 });
    expect(findForm('XAB-12', '[A-Z]{2}-\\d')).toBeUndefined();
  });
});
