import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import { serviceAccount, serviceAccountCanWrite } from './service-account.ts';

const outside = '/var/lib/millrace';

/**
 * The directory of the database server, owned by the account it runs as. It is inside the data
 * directory unless we are root and no other user can reach that (below /root, for example). Then it
 * is outside, and the file `postgres-home` in the data directory holds its path.
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
    log(`the database is stored in ${elsewhere}: its user has no access to ${dataDirectory}`);
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
  const hint = 'Run Millrace as the owner of the directory, or set MILLRACE_DATA to another one.';
  return new SetupError(`The database directory ${directory} belongs to another user.`, hint);
}
