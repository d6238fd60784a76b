import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from './index.ts';

test('a connection that ends in the hands of its holder ends nothing else', async () => {
  const database = openDatabase({
    url: inject('databaseUrl'),
    connections: 2,
    onError: () => undefined,
  });
  onTestFinished(() => database.close());
  const client = await database.pool.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
});

test('a connection that ends while nobody has it is told, and ends nothing', async () => {
  const onError = vi.fn();
  const database = openDatabase({ url: inject('databaseUrl'), connections: 1, onError });
  const other = openDatabase({
    url: inject('databaseUrl'),
    connections: 1,
    onError: () => undefined,
  });
  onTestFinished(database.close);
  onTestFinished(other.close);
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await other.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce(), { timeout: 20_000 });
  expect(await database.pool.query('select 1')).toMatchObject({ rowCount: 1 });
});
