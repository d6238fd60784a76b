import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Extraction } from '../domain/extraction.ts';
import type { DocumentSchema } from '../domain/schema/index.ts';
import { joinText, type Page, type Transcription } from '../domain/transcription.ts';
import { readTranscription } from '../storage/transcriptions.ts';
import { recognise } from './document-type.ts';
import { type GateVerdict, judge } from './gate/index.ts';
import { cutPages } from './layout/readable-part.ts';
import { listPages, listWords, type PageListOptions } from './page-list.ts';
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

/** What of a transcription is written: its text, all of it, its pages, or the words of one page. */
export type RenderFormat =
  | { as: 'text' | 'json' }
  | ({ as: 'pages' } & PageListOptions)
  | { as: 'words'; page: number };

export interface RenderInput extends TranscriptionFile {
  format: RenderFormat;
  /** The file to write. */
  output: string;
}

/** Writes a transcription as it is downloaded. False if it has no such page. */
export async function renderFile({ path, format, output }: RenderInput): Promise<boolean> {
  const text = toDownload(await readTranscription(path), format);
  if (text === undefined) return false;
  await pipeline(Readable.from([text]), createWriteStream(output));
  return true;
}

function toDownload(transcription: Transcription, format: RenderFormat): string | undefined {
  switch (format.as) {
    case 'text':
      return joinText(transcription);
    case 'json':
      return JSON.stringify(transcription);
    case 'pages':
      return JSON.stringify(listPages(transcription, format));
    case 'words': {
      const page = transcription.pages.find(({ number }) => number === format.page);
      return page && JSON.stringify(listWords(page));
    }
    default:
      return format satisfies never;
  }
}

export interface PageOriginInput extends TranscriptionFile {
  page: number;
}

/** Which picture of a page its words lie on; undefined if there is no such page. */
export type PageOrigin = Pick<Page, 'rotation' | 'repairedAs'>;

export async function findPageOrigin(input: PageOriginInput): Promise<PageOrigin | undefined> {
  const { pages } = await readTranscription(input.path);
  const page = pages.find(({ number }) => number === input.page);
  return page && { rotation: page.rotation, repairedAs: page.repairedAs };
}
