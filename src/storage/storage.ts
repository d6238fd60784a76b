import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  bytes: number;
  modified: Date;
}

export interface PutOptions {
  mediaType?: string;
  /** Leave an object that is already there as it is. */
  ifAbsent?: boolean;
  signal?: AbortSignal;
}

/**
 * Where bytes live. Keys are slash-separated, relative, of `[A-Za-z0-9._-]`. A put is all or nothing: a reader never
 * sees half an object, and a put that failed or was aborted leaves none.
 */
export interface Storage {
  put(key: string, body: Buffer | Readable, options?: PutOptions): Promise<'stored' | 'exists'>;
  /** Throws NotFoundError. The caller consumes or destroys the stream. */
  get(key: string, signal?: AbortSignal): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
  /** In the order of the keys; those behind `after` alone where it is given. */
  list(prefix: string, after?: string): AsyncIterable<StoredObject>;
  /** A link that downloads the object as an attachment without further credentials; undefined where storage has none. */
  link(key: string, fileName: string, expiresInSeconds: number): Promise<string | undefined>;
  /** Proves that objects can be written and read; throws with the reason. */
  check(): Promise<void>;
  /**
   * Throws when it is known that a put would fail now: asked before something is paid for that is to be stored. Cheap
   * enough to be asked every time, and no promise: room may run out in between.
   */
  writable(): Promise<void>;
  close(): Promise<void>;
}
