import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { newId } from '../../lib/ids.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';

/** Values that a parser, a query or a driver may stumble over. */
const hostile: unknown[] = [
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  '',
  ' '.repeat(5000),
  '%00',
  "' or 1=1 --",
  '9'.repeat(40),
  '-1',
  '1e300',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0000-00-00',
  1e300,
  -1,
  Number.MAX_SAFE_INTEGER,
  0.1,
  null,
  true,
  [],
  {},
  [['nested']],
  { $ne: 1 },
];

/** The same sequence in every run. */
function random(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const rounds = 24;
const streaming = /stream$|\/events$/;

test.each(
  operations
    .filter(({ path }) => !streaming.test(path))
    .map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)(
  '%s answers hostile values with a problem, never with an internal error',
  async (_, operation) => {
    const next = random(operation.path.length * 31 + operation.method.length);
    const value = () => hostile[next(hostile.length)];
    for (let round = 0; round < rounds; round++) {
      const response = await api.call(fill(operation, value, round), {
        method: operation.method.toUpperCase(),
        headers: { 'content-type': 'application/json' },
        ...(operation.body && { body: JSON.stringify(body(operation, value, round)) }),
      });
      const text = await response.text();
      expect([response.status, text]).not.toEqual([500, expect.anything()]);
    }
  },
);

function fill({ path, query }: Operation, value: () => unknown, round: number): string {
  const filled = path.replace(/\{\w+\}/g, () => (round % 3 === 0 ? newId() : encode(value())));
  const names = query ? Object.keys(query.shape) : [];
  // One at a time: of two bad values only the first is looked at.
  const name = names[round % Math.max(1, names.length)];
  return name ? `${filled}?${new URLSearchParams([[name, String(value())]])}` : filled;
}

function encode(value: unknown): string {
  const text = String(value).slice(0, 200);
  try {
    return encodeURIComponent(text) || 'x';
  } catch {
    // Half a surrogate pair, as a client might put it on the wire.
    return '%ED%A0%80';
  }
}

interface Shape {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Shape>;
  anyOf?: Shape[];
}

/** A body that is valid but for one of its values, and now and then something else entirely. */
function body({ body: schema }: Operation, value: () => unknown, round: number): unknown {
  if (!schema || round % 6 === 5) return value();
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape;
  const names = Object.keys(shape.properties ?? {});
  const name = names[round % Math.max(1, names.length)];
  const valid = example(shape);
  return name && typeof valid === 'object' ? { ...valid, [name]: value() } : valid;
}

function example(shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf?.[0]) return example(shape.anyOf[0]);
  if (shape.type === 'object') {
    const required = shape.required ?? [];
    return Object.fromEntries(required.map((key) => [key, example(shape.properties?.[key] ?? {})]));
  }
  if (shape.type === 'array') return [];
  if (shape.type === 'boolean') return true;
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(1, shape.minimum ?? 1);
  if (shape.format === 'uuid') return newId();
  return shape.format === 'uri' ? 'http://127.0.0.1/' : 'x';
}

test.each([
  ['a batch with NUL in its name', 'POST', '/v1/batches', { name: 'a\u0000b' }],
  ['a list filtered by NUL', 'GET', '/admin/dlq?search=%00', undefined],
  ['a job named like a property', 'POST', '/admin/jobs/__proto__/run', undefined],
  ['a priority beyond all bounds', 'POST', '/v1/batches', { name: 'a', priority: 1e300 }],
])('%s is refused with a sentence', async (_, method, path, json) => {
  const response = await api.call(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(json && { body: JSON.stringify(json) }),
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
});
