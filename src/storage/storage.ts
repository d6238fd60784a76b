import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  bytes: number;
  modified: Date;
}

export interface PutOptions {
  mediaType?: string;
  /** Do not overwrite an existing object. */
  ifAbsent?: boolean;
  signal?: AbortSignal;
}

/**
 * Object storage. Keys are relative paths of `[A-Za-z0-9._-]`, separated by slashes. A put is
 * atomic: readers never see a partial object, and a failed or aborted put leaves none.
 */
export interface Storage {
  put(key: string, body: Buffer | Readable, options?: PutOptions): Promise<'stored' | 'exists'>;
  /** Throws NotFoundError. The caller consumes or destroys the stream. */
  get(key: string, signal?: AbortSignal): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Does nothing if the object does not exist. */
  remove(key: string): Promise<void>;
  /** In key order; only keys after `after` if given. */
  list(prefix: string, after?: string): AsyncIterable<StoredObject>;
  /**
   * A link that downloads the object without credentials; undefined if this storage has no links.
   */
  link(key: string, fileName: string, expiresInSeconds: number): Promise<string | undefined>;
  /** Verifies that objects can be written and read; throws otherwise. */
  check(): Promise<void>;
  /**
   * Throws when a put is known to fail now. Called before paying for a result that must be stored.
   * Cheap enough for every call, but no guarantee: space may run out in between.
   */
  writable(): Promise<void>;
  close(): Promise<void>;
}

/** Stops calls to storage while it is known to be away. */
export interface Breaker {
  /** Runs a call, or throws StorageUnavailableError without running it. */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Throws StorageUnavailableError while calls are stopped. */
  assertClosed(): Promise<void>;
  /** Reports an outage that was noticed after a call, such as a broken download. */
  failed(): void;
}

export const unbroken: Breaker = {
  run: (call) => call(),
  assertClosed: async () => undefined,
  failed: () => undefined,
};
