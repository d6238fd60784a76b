import type { Charge } from '../../domain/cost.ts';
import type { Lane } from '../../domain/lane.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { LargeDocumentError } from '../../errors.ts';

/** A file on the local disk with its detected media type. Its content is untrusted. */
export interface SourceFile {
  path: string;
  mediaType: string;
  /** Read embedded text only. Pages without any stay empty and are reported as a problem. */
  noOcr?: boolean | undefined;
  /** Decrypts the file, if it is encrypted. */
  password?: string | undefined;
  /** The large lane allows more time and memory per page. Defaults to small. */
  lane?: Lane | undefined;
  /** Throw LargeDocumentError for documents with this many pages or more. */
  largeFrom?: number | undefined;
  /** Also read pictures inside a file that has text of its own; absent = they are left out. */
  pictures?: PictureOptions | undefined;
  /** Salvage mode: omit and report pages that fail, or that are not read before this aborts. */
  salvage?: AbortSignal | undefined;
}

export interface PictureOptions {
  /** An empty directory for the pictures of this file. */
  directory: string;
  /** Smaller ones are not read. */
  minPixels: number;
  /** Pictures read per document. */
  most: number;
}

/**
 * Reads documents. Throws PermanentError if the file can never be read, BusyError if the engine
 * asks to be called later, and any other error if the call should be retried.
 */
export interface Reader {
  /** Name and version. Stored with results, so that engines can be told apart. */
  readonly engine: string;
  /** Maximum cost in millionths of a dollar; absent for free engines. */
  quote?(file: SourceFile, signal: AbortSignal): Promise<number>;
  read(file: SourceFile, signal: AbortSignal, charge?: Charge): Promise<Transcription>;
  close(): Promise<void>;
}

export function checkLane(pages: number, largeFrom: number | undefined): void {
  if (largeFrom !== undefined && pages >= largeFrom)
    throw new LargeDocumentError(
      `The document has ${pages} pages; ${largeFrom} or more require the large lane`,
    );
}
