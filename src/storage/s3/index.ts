import {
  DeleteObjectCommand,
  GetObjectCommand,
  type ListObjectsV2CommandInput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { memoizeFor } from '../../lib/memoize-for.ts';
import { SECOND } from '../../lib/time.ts';
import { attachment } from '../attachment.ts';
import { guardStorage } from '../guard.ts';
import { checkKey, checkPrefix } from '../keys.ts';
import { probe } from '../probe.ts';
import { Room } from '../room.ts';
import type { Breaker, Storage, StoredObject } from '../storage.ts';
import { connect, type S3Settings } from './client.ts';
import { find } from './find.ts';
import { setupProblem, translated, translateProblem } from './problems.ts';
import { put } from './put.ts';
import { read } from './read.ts';

/** Objects in a bucket of Amazon S3 or a compatible server. */
export async function openS3(settings: S3Settings): Promise<Storage> {
  const client = connect(settings);
  const { bucket: Bucket, prefix: base = '' } = settings;
  checkPrefix(base);
  const place = (key: string) => {
    checkKey(key);
    return { Bucket, Key: base + key };
  };

  const room = new Room();
  const tryAgain = memoizeFor(SECOND, () => storage.check());
  const storage: Storage = {
    put: async (key, body, options = {}) =>
      room.during(() =>
        translated(key, () =>
          put({ client, checksums: settings.checksums, place: place(key), body, ...options }),
        ),
      ),
    get: async (key, signal) => translated(key, () => read(client, place(key), settings, signal)),
    head: async (key) => {
      const found = await translated(key, () => find(client, place(key)));
      return (
        found && {
          key,
          bytes: found.ContentLength ?? 0,
          modified: found.LastModified ?? new Date(0),
        }
      );
    },
    remove: async (key) => {
      await translated(key, () => client.send(new DeleteObjectCommand(place(key))));
    },
    list: (prefix, after) => {
      checkPrefix(prefix);
      const from = { Bucket, Prefix: base + prefix, ...(after && { StartAfter: base + after }) };
      return list(client, base, from);
    },
    link: async (key, fileName, expiresIn) => {
      const command = new GetObjectCommand({
        ...place(key),
        ResponseContentDisposition: attachment(fileName),
      });
      return getSignedUrl(client, command, { expiresIn });
    },
    check: async () => {
      await probe(storage).catch((error) => {
        throw setupProblem(error, settings);
      });
    },
    // A bucket cannot report free space, so it is probed only after it has refused a put.
    writable: async () => {
      if (room.full) await tryAgain();
    },
    close: async () => client.destroy(),
  };
  return storage;
}

/** As `openS3`, for the storage of this installation: its outages are waits. */
export async function openGuardedS3(settings: S3Settings, breaker: Breaker): Promise<Storage> {
  const translate = (error: unknown) => translateProblem(error, settings);
  return guardStorage(await openS3(settings), { translate, breaker });
}

async function* list(
  client: S3Client,
  base: string,
  from: ListObjectsV2CommandInput,
): AsyncGenerator<StoredObject> {
  for await (const page of paginateListObjectsV2({ client }, from)) {
    for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      if (Key) yield { key: Key.slice(base.length), bytes: Size, modified: LastModified };
    }
  }
}
