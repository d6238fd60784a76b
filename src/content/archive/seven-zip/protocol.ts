/** What a thread with 7-Zip is asked to do. */
export interface SevenZipRequest {
  command: 'list' | 'extract';
  path: string;
  /** As 7-Zip names it: `7z`, `Rar5`, `zip`. */
  type: string;
  password?: string | undefined;
  /** Output directory of `extract`. Files are named by a counter, never by the archive. */
  directory: string;
  /** Largest size of one file, and when to give up on the whole archive. */
  maxFileBytes: number;
  maxBytes: number;
  /** Counts files that wait to be taken: [files, kilobytes]. The thread sleeps while there are many. */
  waiting: SharedArrayBuffer;
}

/** An entry as 7-Zip lists it. */
export interface Listed {
  path: string;
  size: number | undefined;
  packed: number | undefined;
  isFolder: boolean;
  isEncrypted: boolean;
  /** The target, for a symbolic or hard link. */
  link: string | undefined;
}

/** A file that was written, or the reason why it is not complete. */
export interface Extracted {
  path: string;
  file: string;
  bytes: number;
  error?: string | undefined;
}

export type SevenZipReply =
  | { kind: 'listed'; entries: Listed[] }
  | { kind: 'extracted'; file: Extracted }
  /** An error about an entry without a file. */
  | { kind: 'refused'; path: string; error: string }
  | { kind: 'ended'; code: number | undefined; errors: string[] };
