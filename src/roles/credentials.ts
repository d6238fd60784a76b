import type { Config } from '../config/index.ts';
import { isKeyText, newKeyText, storeKey } from '../db/api-keys.ts';
import type { Db } from '../db/index.ts';
import { SetupError } from '../errors.ts';
import { createSeal, type Seal } from '../lib/seal.ts';
import type { DataDirectory } from '../servers/embedded/index.ts';

/**
 * The administrator's key: the configured one, or one that is made once and kept in the data directory. Its hash is in
 * the database; without either of the two nobody can log in yet, and keys are made by command.
 */
export async function ensureKey(
  db: Db,
  config: Config,
  directory: DataDirectory | undefined,
): Promise<string | undefined> {
  const key = config.MILLRACE_API_KEY ?? (await directory?.secret('api-key', newKeyText));
  if (key === undefined) return undefined;
  if (!isKeyText(key)) {
    throw new SetupError(
      'MILLRACE_API_KEY is no key.',
      `Use this one, made just now: ${newKeyText()}`,
    );
  }
  await storeKey(db, key, { name: 'administrator', role: 'admin' });
  return key;
}

/** What secrets are sealed with: every process on the same database needs the same key. */
export async function ensureSeal(
  config: Config,
  directory: DataDirectory | undefined,
): Promise<Seal> {
  const key = config.MILLRACE_SECRET_KEY ?? (await directory?.secret('secret-key'));
  return key === undefined ? { seal: noKey, open: noKey } : createSeal(key);
}

/** Only those who keep secrets need the key. */
function noKey(): never {
  throw new SetupError(
    'There is no key to keep secrets with.',
    'Set MILLRACE_SECRET_KEY, the same for all processes; this makes one: openssl rand -base64 32',
  );
}
