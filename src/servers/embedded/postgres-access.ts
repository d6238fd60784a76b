import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import { Tail } from '../../lib/tail.ts';
import { loopback } from './free-port.ts';
import { postgresEnvironment, superuser } from './postgres-cluster.ts';
import { serviceAccount } from './service-account.ts';

/**
 * Lets nobody into a stopped cluster without a password. Clusters of earlier versions let in every
 * local user as superuser. The fingerprint shows whether the superuser has this password already.
 */
export async function lockCluster(
  cluster: string,
  postgres: string,
  password: string,
): Promise<void> {
  const path = join(cluster, 'pg_hba.conf');
  const fingerprint = createHash('sha256').update(password).digest('hex').slice(0, 16);
  const rules = [
    `# Written by Millrace. Password of the superuser: ${fingerprint}`,
    `host all all ${loopback}/32 scram-sha-256`,
    '',
  ].join('\n');
  if ((await readFile(path, 'utf8').catch(() => '')) === rules) return;
  await setPassword(cluster, postgres, password);
  await writeFile(`${path}.new`, rules, { mode: 0o600 });
  const account = serviceAccount();
  if (account) await chown(`${path}.new`, account.uid, account.gid);
  await rename(`${path}.new`, path);
}

/** In single-user mode, which listens nowhere and asks for no password. */
async function setPassword(cluster: string, postgres: string, password: string): Promise<void> {
  const args = ['--single', '-D', cluster, '-c', 'password_encryption=scram-sha-256', 'postgres'];
  const server = spawn(postgres, args, {
    cwd: '/',
    env: postgresEnvironment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...serviceAccount(),
  });
  const output = new Tail(outputBytes, server.stdout, server.stderr);
  server.stdin.on('error', () => undefined);
  server.stdin.end(`alter role ${superuser} password '${password}'\n`);
  const [code] = await once(server, 'close');
  const text = output.toString();
  // Single-user mode exits with 0 after a failed statement too.
  if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(text)) return;
  throw new SetupError(
    `The password of the embedded PostgreSQL could not be set:\n${text.replaceAll(password, '…')}`,
    'Usual causes: a full disk, or a cluster of another version of PostgreSQL.',
  );
}

const outputBytes = 4096;
