import type pg from 'pg';
import { SetupError } from '../errors.ts';

/** Throws when the server is a standby, or refuses writes for another reason. */
export async function assertWritable(client: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ readOnly: boolean }>(
    `select current_setting('transaction_read_only')::boolean as "readOnly"`,
  );
  if (rows[0]?.readOnly) throw new SetupError(`${readOnly[0]}.`, readOnly[1]);
}

export const readOnly: [sentence: string, hint: string] = [
  'Postgres is read-only',
  'Point DATABASE_URL at the primary server, or make this one writable.',
];
