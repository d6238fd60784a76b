import { randomBytes } from 'node:crypto';
import { newKeyText } from '../../src/db/api-keys.ts';
import { openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { hostilePdfFiles } from '../../test/kit/hostile-pdfs.ts';
import { runForLag } from '../../test/kit/lag-run.ts';
import { pathologicalFiles } from '../../test/kit/pathological.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { type Figure, single } from './figure.ts';
import type { Part } from './part.ts';
import { understandingCosts } from './understanding-costs.ts';

/**
 * How long processes do not respond while they work on documents that are made to cost time, and
 * how the cost of understanding a document grows with its length.
 */
export const lag: Part = {
  run: async (bench) => [
    ...(await onFreshDatabase(bench, (databaseUrl) => longestLags({ ...bench, databaseUrl }))),
    ...(await understandingCosts(bench)),
  ],
};

/** Of the event loop of an API or worker process, whatever the document. */
const target = { atMost: 200 };

async function longestLags(bench: Bench): Promise<Figure[]> {
  const { databaseUrl, redisUrl, directory } = bench;
  const database = openDatabase({ url: databaseUrl, connections: 2, onError: () => undefined });
  await migrate(database.pool);
  await database.close();
  const full = 1000;
  const share = bench.size(full) / full;
  const files = [...pathologicalFiles(share), ...(share === 1 ? hostilePdfFiles() : [])];
  bench.note(`${files.length} documents that are made to cost time`);
  const { lag: seconds } = await runForLag(files, {
    env: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      MILLRACE_DATA: directory,
      MILLRACE_REDIS_PREFIX: `lag-${randomBytes(4).toString('hex')}`,
      MILLRACE_SHUTDOWN_GRACE: '0s',
    },
    key: newKeyText(),
    timeoutMs: 20 * MINUTE,
  });
  const what = `longest lag over ${files.length} pathological documents`;
  return Object.entries(seconds).map(([role, longest]) =>
    single(`${what}, ${role}`, 'ms', longest * 1000, target),
  );
}
