import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';
import { expect, test } from 'vitest';

const source = 'sdk/src';
const types = join('generated', 'api.ts');

/** What a browser loads, not even minified. */
function compile(): string {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && file !== types)
    .map((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
      return transformSync(text, { jsc }).code;
    })
    .join('\n');
}

test('the client has less than 12 kB', () => {
  expect(gzipSync(compile()).length).toBeLessThan(12_000);
});

test('the client needs nothing but itself', () => {
  const imports = [...compile().matchAll(/from ['"]([^'"]+)['"]/g)].map(([, name]) => name);
  expect(imports).toContain('./client.ts');
  expect(imports.filter((name) => !name?.startsWith('./'))).toEqual([]);
  const manifest: object = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  expect(Object.keys(manifest)).not.toContain('dependencies');
});
