import { expect, test } from 'vitest';
import { looksWhole, parseVolume, volumeName } from './volume.ts';

test.each([
  ['A.7z.001', 'split', 'a.7z', 1],
  ['a.7z.012', 'split', 'a.7z', 12],
  ['a.part1.rar', 'rar', 'a', 1],
  ['a.part012.rar', 'rar', 'a', 12],
  ['a.rar', 'oldRar', 'a', 1],
  ['a.r00', 'oldRar', 'a', 2],
  ['a.s03', 'oldRar', 'a', 105],
  ['a.zip', 'zip', 'a', 1],
  ['a.z01', 'zip', 'a', 2],
])('%s is volume %s of %s, number %i', (name, kind, set, number) => {
  const volume = parseVolume(name);
  expect(volume).toEqual({ kind, set, number });
  if (volume) expect(volumeName(name, volume, number).toLowerCase()).toBe(name.toLowerCase());
});

test.each(['a.txt', 'a.7z', 'a.000', 'a.7z.000', 'part1.rar.txt'])('%s is no volume', (name) => {
  expect(parseVolume(name)).toBeUndefined();
});

test.each([
  ['A.7z.001', 'A.7z.010'],
  ['a.part01.rar', 'a.part10.rar'],
  ['a.rar', 'a.r08'],
  ['a.zip', 'a.z09'],
])('the tenth volume of %s is %s', (name, tenth) => {
  const volume = parseVolume(name);
  expect(volume && volumeName(name, volume, 10)).toBe(tenth);
});

test('only names without a number look whole', () => {
  const names = ['a.zip', 'a.rar', 'a.z01', 'a.part1.rar', 'a.7z.001'];
  const whole = names.filter((name) => {
    const volume = parseVolume(name);
    return volume && looksWhole(volume);
  });
  expect(whole).toEqual(['a.zip', 'a.rar']);
});
