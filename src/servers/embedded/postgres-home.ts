import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import { serviceAccount, serviceAccountCanWrite } from './service-account.ts';

const outside = '/var/lib/millrace';

/**
 * The directory of the database server, owned by the account it runs as. It lies in the data directory, except for root
 * with a data directory that no other user can reach (below /root, say): then outside, and the data directory says where.
 */
export async function openPostgresHome(
  dataDirectory: string,
  log: (message: string) => void,
): Promise<string> {
  const inside = await own(join(dataDirectory, 'postgres'));
  if (await serviceAccountCanWrite(inside)) return inside;
  const pointer = join(dataDirectory, 'postgres-home');
  const known = await readFile(pointer, 'utf8').catch(() => undefined);
  const elsewhere = await own(known ?? join(outside, randomUUID()));
  if (!known) {
    await writeFile(pointer, elsewhere, { mode: 0o600 });
    log(
      `the database is kept in ${elsewhere}: it runs as another user, who cannot enter ${dataDirectory}`,
    );
  }
  if (await serviceAccountCanWrite(elsewhere)) return elsewhere;
  throw otherOwner(inside);
}

async function own(directory: string): Promise<string> {
  const account = serviceAccount();
  const made = await mkdir(directory, { recursive: true, mode: account ? 0o711 : 0o700 });
  if (account && made) await chown(directory, account.uid, account.gid);
  const { uid } = await stat(directory);
  if (uid !== (account?.uid ?? process.getuid?.())) throw otherOwner(directory);
  return directory;
}

function otherOwner(directory: string): SetupError {
  const hint = 'Run Millrace as the user who made it, or choose another MILLRACE_DATA.';
  return new SetupError(`The database directory ${directory} belongs to another user.`, hint);
}
