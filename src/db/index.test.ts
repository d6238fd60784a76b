import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from './index.ts';

test('a connection that ends in the hands of its holder ends nothing else', async () => {
  const database = openDatabase({ url: inject('databaseUrl'), connections: 2, onError: () => undefined });
  onTestFinished(() => database.close());
  const client = await database.pool.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
});
