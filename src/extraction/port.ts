import type { Charge } from '../domain/cost.ts';
import type { Extraction, TypeChoice } from '../domain/extraction.ts';
import type { DocumentSchema } from '../domain/schema/index.ts';
import type { Transcription } from '../domain/transcription.ts';

/**
 * Turns a transcription into structured data. Throws the same errors as `Reader`. The text of the
 * document is data, never instructions.
 */
export interface Extractor {
  /** Name and version of the engine or model. */
  readonly engine: string;
  /** True if the same input always gives the same result, so that a retry is pointless. */
  readonly deterministic: boolean;
  /**
   * The sandbox operation that runs instead of `extract`: for extractors that compute on this
   * machine, because the text of a document decides how long that takes.
   */
  readonly operation?: 'understanding.extract';
  /** The maximum cost of an extraction, in millionths of a dollar. Absent if extraction is free. */
  quote?(transcription: Transcription, schema: DocumentSchema): number;
  extract(
    transcription: Transcription,
    schema: DocumentSchema,
    signal: AbortSignal,
    charge?: Charge,
  ): Promise<Extraction>;
  /** Decides which of these types a document is. Absent if the extractor cannot classify. */
  choose?(
    transcription: Transcription,
    types: readonly OfferedType[],
    signal: AbortSignal,
    charge?: Charge,
  ): Promise<TypeChoice>;
  /** The maximum cost of `choose`. */
  quoteChoice?(transcription: Transcription, types: readonly OfferedType[]): number;
  close(): Promise<void>;
}

export type OfferedType = Pick<DocumentSchema, 'name' | 'title'>;
