import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toSbom } from '../../scripts/sbom.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const locked = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });
const versions = z.record(z.string(), z.string());
const manifest = z.looseObject({ dependencies: versions, devDependencies: versions });

test('the bill of materials lists every dependency with its hash, and no tool', () => {
  const { dependencies, devDependencies } = manifest.parse(read('package.json'));
  const { components } = toSbom(
    { name: 'millrace', version: '0' },
    locked.parse(read('package-lock.json')),
  );
  const listed = new Map(components.map((each) => [each['bom-ref'], each]));
  for (const [name, version] of Object.entries(dependencies))
    expect(listed.get(`${name}@${version}`)?.hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  for (const name of ['vitest', '@biomejs/biome']) {
    expect(devDependencies).toHaveProperty([name]);
    expect(components.map((each) => each.name)).not.toContain(name);
  }
});

test('a package without a hash is refused', () => {
  const packages = { 'node_modules/a': { version: '1.0.0' } };
  expect(() => toSbom({ name: 'x', version: '0' }, { packages })).toThrow('no hash');
});
