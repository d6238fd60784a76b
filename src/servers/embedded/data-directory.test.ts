import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { openDataDirectory } from './data-directory.ts';
import { identifyProcess } from './process-identity.ts';

const mode = async (path: string) => (await stat(path)).mode & 0o777;

it('is closed to others', async () => {
  const path = await temporaryDirectory();
  await chmod(path, 0o755);
  const directory = await openDataDirectory(path);
  expect((await mode(path)) & 0o066).toBe(0);
  await directory.close();
});

it('refuses a second instance until the first closes', async () => {
  const path = await temporaryDirectory();
  const first = await openDataDirectory(path);
  await expect(openDataDirectory(path)).rejects.toMatchObject({
    name: 'SetupError',
    hint: /another data directory/,
  });
  await first.close();
  await (await openDataDirectory(path)).close();
});

it('names the process that holds it', async () => {
  const path = await temporaryDirectory();
  await writeFile(join(path, 'lock.json'), JSON.stringify(await identifyProcess(process.ppid)));
  await expect(openDataDirectory(path)).rejects.toThrow(`process ${process.ppid}`);
});

it.each([
  ['a dead process', { pid: 2 ** 22 + 1, started: 'long ago' }],
  ['an earlier process with a pid in use now', { pid: process.pid, started: 'long ago' }],
  ['an interrupted write', undefined],
])('takes over the lock of %s', async (_, holder) => {
  const path = await temporaryDirectory();
  await writeFile(join(path, 'lock.json'), JSON.stringify(holder) ?? '{"pi');
  const directory = await openDataDirectory(path);
  expect(await readFile(join(path, 'lock.json'), 'utf8')).toContain(`"pid":${process.pid}`);
  await directory.close();
});

it('lets one of many win a stale lock', async () => {
  const path = await temporaryDirectory();
  await writeFile(join(path, 'lock.json'), '');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => openDataDirectory(path)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('lets one of many win a stale lock in every round, also when one died while taking it over', async () => {
  for (let round = 0; round < 100; round += 1) {
    const path = await temporaryDirectory();
    const dead = JSON.stringify({ pid: 2 ** 22 + 1, started: 'long ago' });
    await writeFile(join(path, 'lock.json'), dead);
    const claims = createHash('sha256').update(dead).digest('hex').slice(0, 16);
    if (round % 2) await writeFile(join(path, `lock.json.after-${claims}.1`), dead);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => openDataDirectory(path)),
    );
    const winners = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(winners).toHaveLength(1);
    await winners[0]?.close();
    expect(await readdir(path)).toEqual([]);
  }
});

it('makes a secret once and keeps it to itself', async () => {
  const path = await temporaryDirectory();
  const directory = await openDataDirectory(path);
  const secret = await directory.secret('session');
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(await directory.secret('session')).toBe(secret);
  expect(await directory.secret('other')).not.toBe(secret);
  expect(await mode(join(path, 'secrets', 'session'))).toBe(0o600);
  await directory.close();
});
