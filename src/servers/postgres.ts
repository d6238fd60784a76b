import { type Database, type DatabaseSettings, openDatabase } from '../db/index.ts';
import { findPooling, isSameDatabase } from '../db/pooling.ts';
import { SetupError } from '../errors.ts';
import type { Services } from './index.ts';

/**
 * Opens Postgres, directly or through a pooler. A transaction pooler has no sessions, so locks and
 * migrations then need a direct connection too.
 */
export async function openPostgres(
  { databaseUrl: url, directUrl }: Pick<Services, 'databaseUrl' | 'directUrl'>,
  settings: Pick<DatabaseSettings, 'connections' | 'onError'>,
): Promise<Database> {
  const pooling = await findPooling(url);
  if (pooling !== 'transaction') return openDatabase({ ...settings, url, pooling });
  if (!directUrl)
    throw new SetupError(
      `Postgres at ${new URL(url).host} is behind a pooler that changes the connection between transactions (such as PgBouncer with pool_mode = transaction), which breaks locks and migrations.`,
      'Set DATABASE_DIRECT_URL to the address of Postgres itself, or use pool_mode = session.',
    );
  if ((await findPooling(directUrl)) === 'transaction')
    throw new SetupError(
      `DATABASE_DIRECT_URL (${new URL(directUrl).host}) leads to a transaction pooler too.`,
      'Set it to the address of Postgres itself.',
    );
  if (!(await isSameDatabase(url, directUrl)))
    throw new SetupError(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.',
      'Both must name the same database on the same server.',
    );
  return openDatabase({ ...settings, url, directUrl, pooling });
}
