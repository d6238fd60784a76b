import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const templateLock = 7_235_419;
const templatesOf = (testRun: string) => `millrace_template_${testRun}_`;

/**
 * Creates a database for one test file, cloned from a template that `migrate` prepares once per run
 * (templates are identified by the source text of the migrations). `migrate` must have closed its
 * connections when it settles.
 */
export async function createTestDatabase(
  migrate: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = inject('databaseUrl');
  const template =
    templatesOf(inject('testRun')) +
    createHash('sha256').update(String(migrate)).digest('hex').slice(0, 8);
  const name = `millrace_test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(server, async (client) => {
    await ensureTemplate(client, template, () => migrate(urlOf(server, `${template}_making`)));
    await client.query(`create database ${name} template ${template}`);
  });
  const drop = () =>
    asAdministrator(server, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
  return { url: urlOf(server, name), drop };
}

export async function dropTemplates(server: string, testRun: string): Promise<void> {
  await asAdministrator(server, async (client) => {
    const found = await client.query(
      'select datname from pg_database where starts_with(datname, $1)',
      [templatesOf(testRun)],
    );
    for (const { datname } of found.rows) await client.query(`drop database ${datname}`);
  });
}

/**
 * Test files run in separate processes: the first one creates the template, the others wait for it.
 */
async function ensureTemplate(
  client: pg.Client,
  template: string,
  migrate: () => Promise<void>,
): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [templateLock]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [template]);
    if (found.rowCount) return;
    // Renamed only after migrating, so that a failed migration leaves no template behind.
    await client.query(`drop database if exists ${template}_making with (force)`);
    await client.query(`create database ${template}_making`);
    await migrate();
    await client.query(`alter database ${template}_making rename to ${template}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [templateLock]);
  }
}

async function asAdministrator(
  url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
