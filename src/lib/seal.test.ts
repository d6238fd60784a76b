import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const seal = createSeal('a key that is long enough to be one');

test('a sealed text is opened by the same key, and looks different each time', () => {
  expect(seal.open(seal.seal('pässword'))).toBe('pässword');
  expect(seal.seal('same')).not.toBe(seal.seal('same'));
  expect(seal.seal('pässword')).not.toContain('ssword');
});

test('it is not opened by another key, nor after a change', () => {
  const sealed = seal.seal('secret');
  expect(() => createSeal('another key').open(sealed)).toThrow();
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  expect(() => seal.open(changed)).toThrow();
  expect(() => seal.open('plain')).toThrow('Not a sealed text');
});
