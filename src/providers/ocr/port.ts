import type { Charge } from '../../domain/cost.ts';
import type { Lane } from '../../domain/lane.ts';
import type { Transcription } from '../../domain/transcription.ts';

/** A file on the local disk whose type was sniffed. Its bytes are hostile. */
export interface SourceFile {
  path: string;
  mediaType: string;
  /** Only the text that the file carries is wanted; a page without any stays empty, with a problem that says so. */
  noOcr?: boolean | undefined;
  /** Opens the file, if it is encrypted. */
  password?: string | undefined;
  /** In the large one a page may take more time and memory; small unless told. */
  lane?: Lane | undefined;
  /** With this many pages it is not read but refused by LargeDocumentError. */
  largeFrom?: number | undefined;
  /** Pages that cannot be read, or not before this aborts, are left out, with a problem that says so. */
  salvage?: AbortSignal | undefined;
}

/**
 * Reads documents. Throws PermanentError for what can never be read, BusyError when the engine wants to be left alone
 * for a while, anything else to be tried again.
 */
export interface Reader {
  /** Name and version; results of different engines are never mixed up. */
  readonly engine: string;
  /** What reading the file costs at most, in millionths of a dollar; absent where nobody is paid. */
  quote?(file: SourceFile, signal: AbortSignal): Promise<number>;
  read(file: SourceFile, signal: AbortSignal, charge?: Charge): Promise<Transcription>;
  close(): Promise<void>;
}
