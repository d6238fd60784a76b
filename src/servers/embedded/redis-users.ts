import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSecret } from './data-directory.ts';
import { loopback } from './free-port.ts';

export interface RedisUsers {
  /** File of ACL rules: one user per line, with hashes of the passwords. */
  readonly aclFile: string;
  /** Password of the user `default`, who can do everything. */
  readonly adminPassword: string;
  url(port: number): string;
  adminUrl(port: number): string;
}

const runtime = 'millrace';
/** Everything on keys, nothing about the server: no CONFIG, ACL, SHUTDOWN, FLUSHALL, MODULE. */
const runtimeRights = '~* &* +@all -@admin -@dangerous +info +client|list';

/** Generates the passwords on the first call, and writes the rules into the server's directory. */
export async function ensureRedisUsers(directory: string, home: string): Promise<RedisUsers> {
  const adminPassword = await ensureSecret(directory, 'redis-admin');
  const password = await ensureSecret(directory, 'redis-runtime');
  const aclFile = join(home, 'users.acl');
  const rules = [
    `user default on #${sha256(adminPassword)} ~* &* +@all`,
    `user ${runtime} on #${sha256(password)} ${runtimeRights}`,
    '',
  ];
  await writeFile(aclFile, rules.join('\n'), { mode: 0o600 });
  await chmod(aclFile, 0o600);
  return {
    aclFile,
    adminPassword,
    url: (port) => `redis://${runtime}:${password}@${loopback}:${port}`,
    adminUrl: (port) => `redis://:${adminPassword}@${loopback}:${port}`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
