import { chmod, cp, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { locatePackage, preparePostgresBinaries } from './postgres-binaries.ts';

it('runs the packaged server in place', async () => {
  const home = await temporaryDirectory();
  const { postgres, version } = await preparePostgresBinaries(home);
  expect(postgres).toContain(locatePackage());
  expect(version).toMatch(/^\d+\.\d+$/);
});

it('copies the server once when it cannot be completed and run where it lies', async () => {
  const home = await temporaryDirectory();
  const packaged = join(await temporaryDirectory(), 'package');
  const asPublished = async (source: string) => !(await lstat(source)).isSymbolicLink();
  await cp(locatePackage(), packaged, { recursive: true, filter: asPublished });
  for (const folder of ['native/lib', 'native/bin', '.'])
    await chmod(join(packaged, folder), 0o500);
  await chmod(home, 0o755);
  const first = await preparePostgresBinaries(home, packaged);
  const second = await preparePostgresBinaries(home, packaged);
  expect(first.postgres).toContain(home);
  expect(second).toEqual(first);
  for (const folder of ['native/lib', 'native/bin', '.'])
    await chmod(join(packaged, folder), 0o700);
});
