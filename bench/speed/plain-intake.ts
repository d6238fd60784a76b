import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import pg from 'pg';

/** A server process with the simplest possible intake: one file, one row, and nothing is queued. */
const [port, connectionString, directory = '', flush] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
await pool.query('create table if not exists plain (id uuid primary key, name text, bytes int)');
const app = express();
app.get('/readyz', (_, res) => void res.json({}));
app.post('/v1/documents', express.raw({ type: '*/*', limit: '1mb' }), async (req, res) => {
  const id = randomUUID();
  await writeFile(join(directory, id), req.body, { flush: flush === 'flush' });
  await pool.query('insert into plain values ($1, $2, $3)', [
    id,
    String(req.query.name),
    req.body.length,
  ]);
  res.status(202).json({ id });
});
const server = app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
