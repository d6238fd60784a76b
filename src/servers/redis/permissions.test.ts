import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasRedis, startRedisServer } from '../../../test/kit/redis-server.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { Closers } from '../../lib/closers.ts';
import { openRedis } from './index.ts';
import { keyedCommands } from './permissions.ts';

test('every command of the scripts of BullMQ is asked for', async () => {
  const folder = new URL('./', import.meta.resolve('bullmq/dist/esm/scripts/index.js'));
  const found = new Set<string>();
  for (const name of await readdir(fileURLToPath(folder))) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(new URL(name, folder), 'utf8');
    for (const [, command = ''] of text.matchAll(/rcall\("([A-Z]+)"/g)) found.add(command);
  }
  const asked = new Set(['XREAD', 'TIME', ...keyedCommands.flat()]);
  expect(found.size).toBeGreaterThan(40);
  expect([...found].filter((command) => !asked.has(command))).toEqual([]);
});

describe.skipIf(!hasRedis)('a user with too few permissions', () => {
  /** A server with a user that has these rules; and an attempt to open it. */
  async function withRules(...rules: string[]) {
    const server = await startRedisServer({ directory: await temporaryDirectory() });
    onTestFinished(server.stop);
    await server.client.call('ACL', 'SETUSER', 'mill', 'on', '>secret', ...rules);
    const closers = new Closers();
    onTestFinished(() => closers.close());
    const url = server.url.replace('//', '//mill:secret@');
    const open = () => openRedis({ url, prefix: 'millrace' }, pino({ level: 'silent' }), closers);
    return { server, open };
  }

  test.each([
    [['+@all', '-client|list', '~*'], '+client|list'],
    [['+@all', '-info', '~*'], '+info'],
    [['+@all', '-eval', '-bzpopmin', '~*'], '+bzpopmin +eval'],
    [['+@all', '-multi', '~*'], '+multi +exec +discard'],
    [['+@all', '~millrace:*'], '~{millrace-* ~{millrace:*'],
    [['+@all', '-xadd', '~{millrace*'], '+xadd ~millrace:*'],
  ])('%s is told what to grant: %s', async (rules, missing) => {
    const { open } = await withRules(...rules);
    await expect(open()).rejects.toMatchObject({
      message: `The Redis user "mill" lacks permissions (NOPERM): ${missing}`,
      hint: expect.stringContaining(`ACL SETUSER mill ${missing}`),
    });
  });

  test('leaves nothing behind, and the hint is enough', async () => {
    const { server, open } = await withRules('+multi', '+exec', '+discard');
    const refusal = await open().catch((error: unknown) => error);
    const [, rules = ''] =
      /ACL SETUSER mill (.*?) \(/.exec(String((refusal as Error & { hint: string }).hint)) ?? [];
    await server.client.call('ACL', 'SETUSER', 'mill', ...rules.split(' '));
    await open();
    expect(await server.client.dbsize()).toBe(0);
  });
});
