import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SetupError } from '../errors.ts';
import type { Storage } from './storage.ts';

/** Writes, reads and removes a small object, and checks that put-if-absent does not overwrite. */
export async function probe(storage: Pick<Storage, 'put' | 'get' | 'remove'>): Promise<void> {
  const key = `checks/${randomUUID()}`;
  const bytes = Buffer.from(key);
  try {
    await storage.put(key, bytes, { ifAbsent: true });
    if (!bytes.equals(await buffer(await storage.get(key)))) {
      throw new SetupError(
        'Storage returned different bytes than were written',
        'Check the disk or the storage server.',
      );
    }
    if ((await storage.put(key, bytes, { ifAbsent: true })) !== 'exists') {
      throw new SetupError(
        'Storage overwrites existing objects despite If-None-Match: *',
        'Upgrade the storage server: it must honour If-None-Match: * on PUT.',
      );
    }
  } finally {
    await storage.remove(key);
  }
}
