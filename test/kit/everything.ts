import type { Redis } from 'ioredis';
import type pg from 'pg';

/** Everything stored in Redis under a prefix, as searchable text. */
export async function everythingInRedis(redis: Redis, prefix: string): Promise<string> {
  const found: unknown[] = [];
  for (const key of await redis.keys(`*${prefix}*`)) {
    const type = await redis.type(key);
    if (type === 'hash') found.push(key, await redis.hgetall(key));
    else if (type === 'stream') found.push(key, await redis.xrange(key, '-', '+'));
    else if (type === 'string') found.push(key, await redis.get(key));
    else found.push(key);
  }
  return JSON.stringify(found);
}

/** Everything stored in the tables, as searchable text. */
export async function everythingInPostgres(pool: pg.Pool): Promise<string> {
  const tables = await pool.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const rows = [];
  for (const { name } of tables.rows) rows.push((await pool.query(`select * from ${name}`)).rows);
  return JSON.stringify(rows);
}
