import { spawn } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { openDataDirectory } from './data-directory.ts';
import { freePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { openPostgresHome } from './postgres-home.ts';
import { readPostmaster } from './postmaster.ts';
import { serviceAccount } from './service-account.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

async function setup(durable = false) {
  const { path } = await openDataDirectory(await temporaryDirectory());
  const start = async () => {
    const server = await startPostgres({ directory: path, durable, log: () => {} });
    onTestFinished(server.stop);
    return server;
  };
  return { path, start, cluster: join(path, 'postgres', 'cluster') };
}

it('keeps its data over a restart', async () => {
  const { start } = await setup();
  const first = await start();
  await query(first.ownerUrl, 'create table kept as select 42 as answer');
  await first.stop();
  await first.stop();
  const second = await start();
  expect(await query(second.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await second.stop();
});

it('is safe by default and listens on the loopback only', async () => {
  const { start } = await setup(true);
  const server = await start();
  const sql = `select string_agg(setting, ' ' order by name) as settings from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories')`;
  expect(await query(server.adminUrl, sql)).toEqual([{ settings: 'on on 127.0.0.1 on ' }]);
  await server.stop();
});

it('lets nobody in without the password', async () => {
  const { start } = await setup();
  const server = await start();
  for (const url of [server.url, server.ownerUrl, server.adminUrl]) {
    const { username } = new URL(url);
    const withLogin = (login: string) => url.replace(/\/\/.*@/, `//${login}@`);
    await expect(query(withLogin(username), 'select 1')).rejects.toThrow(/password/);
    await expect(query(withLogin(`${username}:guess`), 'select 1')).rejects.toThrow(/password/);
  }
  await server.stop();
});

it.each(['url', 'ownerUrl'] as const)('runs no programs and reads no files for %s', async (url) => {
  const { start } = await setup();
  const server = await start();
  const [rights] = await query(
    server[url],
    'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user',
  );
  expect(rights).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolbypassrls: false,
  });
  for (const sql of [
    "create temporary table output (line text); copy output from program 'id'",
    "create temporary table output (line text); copy output from '/etc/passwd'",
    "select pg_read_file('PG_VERSION')",
    'set role millrace',
  ])
    await expect(query(server[url], sql)).rejects.toThrow(/permission denied/);
  await server.stop();
});

it('locks a cluster of an earlier version, which let everybody in as superuser', async () => {
  const { path, start, cluster } = await setup();
  await (await start()).stop();
  await writeFile(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  await rm(join(path, 'secrets'), { recursive: true });
  const { postgres } = await preparePostgresBinaries(await openPostgresHome(path, () => {}));
  const port = await freePort();
  const args = ['-D', cluster, '-p', String(port), '-c', 'unix_socket_directories='];
  const old = spawn(postgres, args, { stdio: 'ignore', cwd: '/', ...serviceAccount() });
  while (!(await readPostmaster(cluster))?.ready) await sleep(10);
  const before = `postgres://millrace@127.0.0.1:${port}/millrace`;
  await query(
    before,
    `create schema drizzle; create table drizzle.state (n serial); create type mood as enum ('good');
     create table kept (id serial, at date) partition by range (at); create materialized view seen as select * from kept;
     create function one() returns int language sql as 'select 1'`,
  );
  old.kill('SIGINT');
  await new Promise((resolve) => old.once('exit', resolve));
  const server = await start();
  await query(
    server.ownerUrl,
    'refresh materialized view seen; drop function one(); drop type mood',
  );
  await query(
    server.ownerUrl,
    'drop materialized view seen; drop table kept; drop schema drizzle cascade',
  );
  await expect(query(server.url.replace(/\/\/.*@/, '//millrace@'), 'select 1')).rejects.toThrow(
    /password/,
  );
  await server.stop();
});

it('starts afresh after a first start that was interrupted', async () => {
  const { path, start } = await setup();
  const home = await openPostgresHome(path, () => {});
  await mkdir(join(home, 'preparing-before', 'base'), { recursive: true });
  await writeFile(join(home, 'preparing-before', 'PG_VERSION'), '18');
  const server = await start();
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await readdir(home)).toEqual(['cluster']);
  await server.stop();
});

it('stops a server that outlived its parent', async () => {
  const { path, start, cluster } = await setup();
  await (await start()).stop();
  const { postgres } = await preparePostgresBinaries(await openPostgresHome(path, () => {}));
  const args = ['-D', cluster, '-p', String(await freePort()), '-c', 'unix_socket_directories='];
  const orphan = spawn(postgres, args, { stdio: 'ignore', cwd: '/', ...serviceAccount() });
  const ended = new Promise((resolve) => orphan.once('exit', resolve));
  while (!(await readPostmaster(cluster))?.ready) await sleep(10);
  const server = await start();
  expect(await ended).toBe(0);
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

it('leaves a stranger alone who has the pid of a dead server', async () => {
  const { start, cluster } = await setup();
  await (await start()).stop();
  await writeFile(join(cluster, 'postmaster.pid'), `${process.ppid}\n${cluster}\n`);
  const server = await start();
  expect(process.kill(process.ppid, 0)).toBe(true);
  await server.stop();
});

it('quotes the log when the server does not start', async () => {
  const { start, cluster } = await setup();
  await (await start()).stop();
  await writeFile(join(cluster, 'PG_VERSION'), '9\n');
  await expect(start()).rejects.toMatchObject({
    name: 'SetupError',
    message: /initialized by PostgreSQL version 9/,
  });
});
