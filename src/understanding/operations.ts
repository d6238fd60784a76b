import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Extraction } from '../domain/extraction.ts';
import type { DocumentSchema } from '../domain/schema/index.ts';
import { joinText, type Transcription } from '../domain/transcription.ts';
import { readTranscription } from '../storage/transcriptions.ts';
import { recognise } from './document-type.ts';
import { type GateVerdict, judge } from './gate/index.ts';
import { cutPages } from './layout/readable-part.ts';
import { extractByRules } from './rules/index.ts';

/**
 * What the sandbox does with a transcription. Its input is a file: a transcription can be large,
 * and whoever parses it is blocked meanwhile.
 */
export interface TranscriptionFile {
  path: string;
}

export interface RecogniseInput extends TranscriptionFile {
  types: readonly Pick<DocumentSchema, 'name' | 'recognise'>[];
}

/** The name of the recognised type. */
export async function recogniseFile({ path, types }: RecogniseInput): Promise<string | undefined> {
  return recognise(await readTranscription(path), types)?.name;
}

export interface ExtractInput extends TranscriptionFile {
  schema: DocumentSchema;
}

export interface ExtractOutput {
  extraction: Extraction;
  verdict: GateVerdict;
}

/** Extracts by rules, and judges the result while the document is at hand. */
export async function extractFile({ path, schema }: ExtractInput): Promise<ExtractOutput> {
  const transcription = await readTranscription(path);
  const extraction = extractByRules(transcription, schema);
  return { extraction, verdict: judge(extraction, transcription, schema) };
}

export interface JudgeInput extends ExtractInput {
  extraction: Extraction;
}

export async function judgeFile({ path, schema, extraction }: JudgeInput): Promise<GateVerdict> {
  return judge(extraction, await readTranscription(path), schema);
}

export interface RecheckInput extends ExtractInput {
  values: Readonly<Record<string, unknown>>;
  settled: readonly string[];
}

/** Judges values again after a person has changed some of them. */
export async function recheckFile(input: RecheckInput): Promise<GateVerdict> {
  const { path, schema, values: fields, settled } = input;
  const judged = { fields, extraction_successful: true, confidence: 'high' } as const;
  return judge(judged, await readTranscription(path), schema, new Date(), settled);
}

/** More than a model is sent: the first and last pages, without the positions of words. */
const abridged = { beginning: 1_500_000, end: 500_000 };

/** The text of a document for a model. */
export async function abridgeFile({ path }: TranscriptionFile): Promise<Transcription> {
  const { pages, embedded, ...rest } = await readTranscription(path);
  const texts = pages.map((page) => ({ ...page, words: [] }));
  return {
    ...rest,
    pages: [...cutPages(texts, abridged)],
    embedded: embedded.map((file) => ({ ...file, text: file.text.slice(0, abridged.beginning) })),
  };
}

export interface RenderInput extends TranscriptionFile {
  format: 'text' | 'json';
  /** The file to write. */
  output: string;
}

/** Writes a transcription as it is downloaded. */
export async function renderFile({ path, format, output }: RenderInput): Promise<void> {
  const transcription = await readTranscription(path);
  const text = format === 'json' ? JSON.stringify(transcription) : joinText(transcription);
  await pipeline(Readable.from([text]), createWriteStream(output));
}
