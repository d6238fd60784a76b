import pg from 'pg';

export const database = 'millrace';

/** The owner migrates the schema. At run time only its rows can be read and changed. */
export const users = { owner: 'millrace_owner', runtime: 'millrace_runtime' } as const;

/** Creates the database and its users, and hands over what the superuser of earlier versions owned. */
export async function ensureDatabase(
  superuserUrl: (database: string) => string,
  passwords: { owner: string; runtime: string },
): Promise<void> {
  await connected(superuserUrl('postgres'), async (client) => {
    for (const kind of ['owner', 'runtime'] as const)
      await ensureUser(client, users[kind], passwords[kind]);
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0)
      await client.query(`create database ${database} owner ${users.owner}`);
    await client.query(`
      alter database ${database} owner to ${users.owner};
      revoke all on database ${database}, postgres, template1 from public;
      grant connect, temporary on database ${database} to ${users.runtime}`);
  });
  await connected(superuserUrl(database), (client) => client.query(handOver));
}

async function ensureUser(client: pg.Client, name: string, password: string): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [name]);
  if (found.rowCount === 0) await client.query(`create role ${name} login`);
  const rights = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await client.query(`alter role ${name} ${rights} password ${client.escapeLiteral(password)}`);
}

/** REASSIGN OWNED refuses the superuser that the cluster was created with. */
const handOver = `
do $$
declare
  step text;
begin
  for step in
    select format('alter schema %I owner to ${users.owner}', nspname)
      from pg_namespace where nspname in ('public', 'drizzle') and nspowner <> '${users.owner}'::regrole
    union all
    select format('alter table %s owner to ${users.owner}', c.oid::regclass)
      from pg_class c
     where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))
       and c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> '${users.owner}'::regrole
       and not exists (select from pg_depend d
                        where d.objid = c.oid and d.classid = 'pg_class'::regclass and c.relkind = 'S'
                          and d.deptype in ('a', 'i'))
    union all
    select format('alter function %s owner to ${users.owner}', p.oid::regprocedure)
      from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.proowner <> '${users.owner}'::regrole
    union all
    select format('alter type %s owner to ${users.owner}', t.oid::regtype)
      from pg_type t
     where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')
       and t.typowner <> '${users.owner}'::regrole
  loop
    execute step;
  end loop;
end $$`;

async function connected(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await work(client).finally(() => client.end());
}
