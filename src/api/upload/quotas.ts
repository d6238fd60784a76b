import type { Db } from '../../db/index.ts';
import { storageQuota, storedBytes } from '../../db/storage-use.ts';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import { HttpError } from '../http-error.ts';

/** Adding up the bytes of a large workspace takes a while, so the sum is used for this long. */
const sumMs = 10 * SECOND;

interface Use {
  quota: number;
  used: number;
  readAt: number;
}

/**
 * How much each workspace may still store. Uploads of other processes show up with the next sum, so
 * a workspace can exceed its quota by what they accept in between.
 */
export class StorageQuotas {
  readonly #db: Db;
  readonly #uses = new Map<string, Use>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Bytes that are left; undefined = unlimited. Throws if there are none, or fewer than these. */
  async assertRoom(workspaceId: string, bytes = 1): Promise<number | undefined> {
    const quota = await storageQuota(this.#db, workspaceId);
    if (quota === null) return undefined;
    const use = await this.#read(workspaceId, quota);
    const left = quota - use.used;
    if (left < bytes) throw quotaExceeded();
    return left;
  }

  spend(workspaceId: string, bytes: number): void {
    const use = this.#uses.get(workspaceId);
    if (use) use.used += bytes;
  }

  async #read(workspaceId: string, quota: number): Promise<Use> {
    const known = this.#uses.get(workspaceId);
    if (known && monotonicNow() - known.readAt < sumMs) return Object.assign(known, { quota });
    const used = await storedBytes(this.#db, workspaceId);
    const use = { quota, used, readAt: monotonicNow() };
    this.#uses.set(workspaceId, use);
    return use;
  }
}

export function quotaExceeded(): HttpError {
  return new HttpError('The workspace has used up its storage quota.', {
    status: 413,
    code: 'STORAGE_QUOTA_EXCEEDED',
    hint: 'Delete documents, or have an administrator raise storageQuotaBytes of the workspace.',
  });
}
