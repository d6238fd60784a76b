import { expect, test } from 'vitest';
import { applyPins, findUnpinned, parsePins } from '../../scripts/pins.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const commit = 'b'.repeat(40);
const text = [
  'FROM node:22-bookworm-slim AS build',
  '    image: prom/prometheus',
  '      - uses: actions/checkout@v4',
  'RUN npm ci',
].join('\n');

test('images and actions are found until they are pinned, and stay readable', () => {
  const names = ['node:22-bookworm-slim', 'prom/prometheus', 'actions/checkout@v4'];
  expect(findUnpinned(text)).toEqual(names);
  const pins = parsePins(
    `node:22-bookworm-slim ${digest}\nprom/prometheus ${digest}\nactions/checkout@v4 ${commit}\n`,
  );
  const pinned = applyPins(text, pins);
  expect(pinned.split('\n')).toEqual([
    `FROM node:22-bookworm-slim@${digest} AS build`,
    `    image: prom/prometheus@${digest}`,
    `      - uses: actions/checkout@${commit} # v4`,
    'RUN npm ci',
  ]);
  expect(findUnpinned(pinned)).toEqual([]);
  expect(applyPins(pinned, pins)).toBe(pinned);
});

test('a digest that is none is refused', () => {
  expect(() => parsePins('node:22 latest')).toThrow('Not a name and a digest');
});
