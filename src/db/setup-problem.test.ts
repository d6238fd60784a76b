import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/kit/database.ts';
import { freePort } from '../servers/embedded/free-port.ts';
import { openDatabase } from './index.ts';
import { setupProblem } from './setup-problem.ts';
import { listWorkspaces } from './workspaces.ts';

/** The setup problem that a query to this URL leads to. */
async function refusalAt(url: string) {
  const database = openDatabase({ url, connections: 1, onError: () => undefined });
  try {
    return await listWorkspaces(database.db, { limit: 1 }).catch(setupProblem);
  } finally {
    await database.close();
  }
}

test('whoever configured a database reads what is wrong with it, and no statement', async () => {
  const { url, drop } = await createTestDatabase(async () => undefined);
  const absent = Object.assign(new URL(url), { pathname: '/nowhere' }).href;
  const refusals = [
    await refusalAt(url),
    await refusalAt(absent),
    await refusalAt(`postgres://u@127.0.0.1:${await freePort()}/x`),
  ];
  await drop();
  expect(refusals).toMatchObject([
    {
      message: expect.stringMatching(/^The database has not been migrated/),
      hint: expect.stringContaining('millrace migrate'),
    },
    {
      message: expect.stringMatching(/^The database does not exist: .*"nowhere"/),
      hint: expect.stringContaining('Create it'),
    },
    {
      message: expect.stringMatching(/^Postgres does not answer: .*ECONNREFUSED/),
      hint: expect.stringContaining('DATABASE_URL'),
    },
  ]);
});

test('what is no matter of the database is left to others', () => {
  expect(setupProblem(new Error('no'))).toBeUndefined();
});
