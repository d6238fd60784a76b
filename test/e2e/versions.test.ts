import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../kit/cli.ts';
import { openInstallation } from '../kit/installation.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The program as it is, with one more migration. */
async function makeNewerVersion(): Promise<string> {
  const home = await temporaryDirectory();
  for (const part of ['bin', 'dist', 'drizzle', 'package.json'])
    await cp(join(root, part), join(home, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'));
  const path = join(home, 'drizzle/meta/_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8'));
  const { length } = journal.entries;
  const newest = Math.max(...journal.entries.map(({ when }: { when: number }) => when));
  journal.entries.push({
    ...journal.entries[length - 1],
    idx: length,
    when: newest + 1,
    tag: '9999_newer',
  });
  await writeFile(path, JSON.stringify(journal));
  await writeFile(
    join(home, 'drizzle/9999_newer.sql'),
    'alter table tasks add column newer text default now()::text;',
  );
  return join(home, 'bin/millrace.js');
}

test('while a newer version migrates, workers of the older one finish; it does not start again', {
  timeout: 300_000,
}, async () => {
  const installation = await openInstallation();
  onTestFinished(installation.close);
  const newer = await makeNewerVersion();
  const admit = () =>
    installation.admitMock({ do: 'sleep', ms: 5000 }, { do: 'say', text: 'Invoice 7' });
  installation.start(['scheduler']);
  installation.start(['worker']);
  const before = await admit();
  await installation.running(before, 'transcribe');

  const upgraded = await Promise.all(
    [1, 2].map(() => runCli(['migrate'], installation.env, newer)),
  );
  expect(upgraded.map(({ code }) => code)).toEqual([0, 0]);
  const refused = await runCli(['worker'], installation.env);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('migrated by a newer version');

  const after = await admit();
  for (const id of [before, after]) await installation.completed(id);
  expect(await installation.taskOf(before)).toMatchObject({ attempts: 0, losses: 0 });
  installation.start(['worker'], {}, newer);
  await installation.completed(await admit());
});
