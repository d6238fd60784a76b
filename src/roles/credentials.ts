import type { Config } from '../config/index.ts';
import { isKeyText, newKeyText, storeKey } from '../db/api-keys.ts';
import type { Db } from '../db/index.ts';
import { SetupError } from '../errors.ts';
import { createSeal, type Seal } from '../lib/seal.ts';
import type { Services } from '../servers/index.ts';

export interface AdminKey {
  text: string;
  /** Whether this start generated it. */
  isNew: boolean;
}

/**
 * The administrator's key: the configured one, or one that is generated once and kept in the data
 * directory. The database stores only its hash. Undefined if there is neither: the first key is
 * then created with `millrace key create --direct`.
 */
export async function ensureKey(
  db: Db,
  config: Config,
  directory: Services['directory'],
): Promise<AdminKey | undefined> {
  let isNew = false;
  const make = () => {
    isNew = true;
    return newKeyText();
  };
  const key = config.MILLRACE_API_KEY ?? (await directory?.secret('api-key', make));
  if (key === undefined) return undefined;
  if (!isKeyText(key)) {
    throw new SetupError(
      'MILLRACE_API_KEY is not a valid key.',
      `Use this newly generated key: ${newKeyText()}`,
    );
  }
  await storeKey(db, key, { name: 'administrator', role: 'admin' });
  return { text: key, isNew };
}

/** Encrypts stored secrets. All processes on the same database need the same key. */
export async function ensureSeal(config: Config, directory: Services['directory']): Promise<Seal> {
  const key = config.MILLRACE_SECRET_KEY ?? (await directory?.secret('secret-key'));
  return key === undefined ? { seal: noKey, open: noKey } : createSeal(key);
}

/** Fails on first use, not at startup: an installation without stored secrets needs no key. */
function noKey(): never {
  throw new SetupError(
    'No key for encrypting secrets is configured.',
    'Set MILLRACE_SECRET_KEY to the same value in all processes. To generate one: openssl rand -base64 32',
  );
}
