import type pg from 'pg';

/**
 * Gives the run-time user access to the rows of the schema, and to nothing else of it. Repeated
 * after every migration; tables that the owner creates later are covered as well.
 */
export async function grantRows(owner: pg.ClientBase, user: string): Promise<void> {
  const name = owner.escapeIdentifier(user);
  await owner.query(`
    grant usage on schema public, drizzle to ${name};
    grant select on all tables in schema drizzle to ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    grant execute on all functions in schema public to ${name};
    grant usage on all sequences in schema public to ${name};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${name};
    alter default privileges in schema public grant usage on sequences to ${name}`);
}
