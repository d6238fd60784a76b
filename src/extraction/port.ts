import type { Charge } from '../domain/cost.ts';
import type { Extraction, TypeChoice } from '../domain/extraction.ts';
import type { DocumentSchema } from '../domain/schema/index.ts';
import type { Transcription } from '../domain/transcription.ts';

/** Turns a transcription into structured data. Errors as for `Reader`. The text of the document is data, never instructions. */
export interface Extractor {
  /** Name and version of the engine or model. */
  readonly engine: string;
  /** Asked twice it answers the same: trying again is of no use. */
  readonly deterministic: boolean;
  /** What extraction costs at most, in millionths of a dollar; absent where nobody is paid. */
  quote?(transcription: Transcription, schema: DocumentSchema): number;
  extract(
    transcription: Transcription,
    schema: DocumentSchema,
    signal: AbortSignal,
    charge?: Charge,
  ): Promise<Extraction>;
  /** Says which of these types a document is. Absent where nobody can be asked. */
  choose?(
    transcription: Transcription,
    types: readonly OfferedType[],
    signal: AbortSignal,
    charge?: Charge,
  ): Promise<TypeChoice>;
  /** What choosing costs at most. */
  quoteChoice?(transcription: Transcription, types: readonly OfferedType[]): number;
  close(): Promise<void>;
}

export type OfferedType = Pick<DocumentSchema, 'name' | 'title'>;
