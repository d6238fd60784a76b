import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { type NewKey, newKeyText, parseKeyId, revokeKey, storeKey } from '../../db/api-keys.ts';
import type { Scope } from '../../domain/scope.ts';
import { mounts } from '../routes/index.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';

const ranks = { open: -1, user: 0, operator: 1, admin: 2 };
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

/** The scope that an operation needs, from the table of routes. */
function scopeOf({ method, path }: Operation): Scope {
  const fits = mounts.flatMap((mount) => (mount.access === 'open' ? [] : [mount]));
  const found = fits.find((mount) => path === mount.path || path.startsWith(`${mount.path}/`));
  if (!found) throw new Error(`${path} is mounted nowhere`);
  const { resource } = found;
  const name = typeof resource === 'string' ? resource : resource(path.slice(found.path.length));
  return `${name}:${method === 'get' ? 'read' : 'write'}`;
}

interface CallerKind {
  role: 'user' | 'operator' | 'admin';
  bound?: boolean;
  scopes?: 'its own' | 'reading only' | 'another';
  is?: 'expired' | 'revoked' | 'unknown' | 'without a key';
}

const callers: Record<string, CallerKind> = {
  'without a key': { role: 'admin', is: 'without a key' },
  'unknown key': { role: 'admin', is: 'unknown' },
  'expired key': { role: 'admin', is: 'expired' },
  'revoked key': { role: 'admin', is: 'revoked' },
  user: { role: 'user', bound: true },
  operator: { role: 'operator' },
  'bound operator': { role: 'operator', bound: true },
  admin: { role: 'admin' },
  'bound admin': { role: 'admin', bound: true },
  'admin with the scope': { role: 'admin', scopes: 'its own' },
  'admin with the scope to read': { role: 'admin', scopes: 'reading only' },
  'admin with another scope': { role: 'admin', scopes: 'another' },
};

function expected(operation: Operation, caller: CallerKind): 401 | 403 | 'in' {
  if (caller.is) return 401;
  if (ranks[caller.role] < ranks[operation.access]) return 403;
  if (caller.scopes === 'another') return 403;
  if (caller.scopes === 'reading only' && operation.method !== 'get') return 403;
  return operation.global && caller.bound ? 403 : 'in';
}

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ schedule: { job: { everyMs: 1000, run: async () => ({}) } } });
});
afterAll(() => api.close());

const kept = new Map<string, string>();
async function keyFor(operation: Operation, caller: CallerKind): Promise<string> {
  const scope = scopeOf(operation);
  const another: Scope = scope.startsWith('formats:') ? 'tasks:read' : 'formats:read';
  const scopes = {
    'its own': [scope],
    'reading only': [scope.replace(':write', ':read') as Scope],
    another: [another],
  }[caller.scopes ?? 'its own'];
  const key: NewKey = {
    name: 'caller',
    role: caller.role,
    ...(caller.bound && { workspaceId: api.workspaceId }),
    ...(caller.scopes && { scopes }),
    ...(caller.is === 'expired' && { expiresAt: new Date(0) }),
  };
  const id = JSON.stringify([key, caller.is]);
  const known = kept.get(id);
  if (known) return known;
  const text = newKeyText();
  const { db } = api.resources.database;
  if (caller.is !== 'unknown') await storeKey(db, text, key);
  if (caller.is === 'revoked') await revokeKey(db, parseKeyId(text));
  kept.set(id, text);
  return text;
}

/** Names nothing that exists: whoever is let in gets a 404 or a list. */
async function statusOf(operation: Operation, caller: CallerKind) {
  const path = operation.path
    .replace('{keyId}', 'none')
    .replace('{id}', '00000000-0000-7000-8000-000000000000')
    .replace('{page}', '1')
    .replace('{name}', 'none');
  const authorization = `Bearer ${await keyFor(operation, caller)}`;
  const response = await fetch(api.url + path, {
    method: operation.method.toUpperCase(),
    headers: caller.is === 'without a key' ? {} : { authorization },
    redirect: 'manual',
  });
  await response.body?.cancel();
  return [401, 403].includes(response.status) ? response.status : 'in';
}

const guarded = operations
  .filter(({ access }) => access !== 'open')
  .map((operation) => ({ name: nameOf(operation), operation }));

describe('callers and operations', () => {
  test.each(guarded)('$name lets in whom it should', async ({ operation }) => {
    const found = await Promise.all(
      Object.entries(callers).map(async ([name, caller]) => [
        name,
        await statusOf(operation, caller),
      ]),
    );
    const wanted = Object.entries(callers).map(([name, caller]) => [
      name,
      expected(operation, caller),
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  });
});

test('an expired key is refused with its own code', async () => {
  const [first] = guarded;
  if (!first) throw new Error('There are no operations');
  const key = await keyFor(first.operation, { role: 'user', bound: true, is: 'expired' });
  const response = await api.call('/v1/documents', { key });
  expect(response.status).toBe(401);
  expect(z.looseObject({ code: z.string() }).parse(await response.json()).code).toBe('KEY_EXPIRED');
});

test('the table for people is up to date', async () => {
  const names = Object.keys(callers).filter((name) => !callers[name]?.is);
  const rows = guarded.map(({ name, operation }) => {
    const cells = names.map((each) => {
      const caller = callers[each];
      return caller && expected(operation, caller) === 'in' ? 'yes' : '–';
    });
    return `| \`${name}\` | \`${scopeOf(operation)}\` | ${cells.join(' | ')} |`;
  });
  const text = [
    '# Who may call what',
    '',
    'Generated from the table of operations by `npx vitest run src/api/openapi/access.test.ts --update`, and tested operation by operation. A key that is unknown, expired or revoked gets a 401 everywhere. A bound key sees its own workspace only; everything else is a 404.',
    '',
    `| operation | scope | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...rows,
    '',
  ];
  await expect(text.join('\n')).toMatchFileSnapshot('../../../docs/access.md');
});
