import type {
  ContentFile,
  InspectInput,
  PageInput,
  PdfInput,
  UnpackInput,
} from '../content/format.ts';
import { requireCapability } from '../content/index.ts';
import type { PageImageInput } from '../content/page-image.ts';
import { readTextAndPictures, type TextRequest } from '../content/pictures/read-text.ts';
import { inspectFile } from '../content/second-engine/office-text.ts';
import { toWellFormed } from '../content/well-formed.ts';
import type { OcrPageInput } from '../recognition/page.ts';
import type { RepairInput } from '../recognition/repair/repair.ts';
import type {
  ExtractInput,
  JudgeInput,
  PageOriginInput,
  RecheckInput,
  RecogniseInput,
  RenderInput,
  TranscriptionFile,
} from '../understanding/operations.ts';
import type { OperationTable } from './operation.ts';

/**
 * All operations of a child. Those about a format are looked up in the table in `content/`. Engines
 * are loaded on first use: a child that only reads text never loads a model.
 */
export const operations = {
  'content.inspect': (input: InspectInput) => inspectFile(input),
  'content.text': async (input: TextRequest) => toWellFormed(await readTextAndPictures(input)),
  'content.metadata': (input: ContentFile) => requireCapability(input.mediaType, 'metadata')(input),
  'content.pdf': (input: PdfInput) => requireCapability(input.mediaType, 'pdf')(input),
  'content.unpack': async (input: UnpackInput) =>
    (await import('../content/unpack/hand-over.ts')).handOver(
      requireCapability(input.mediaType, 'unpack'),
      input,
    ),
  'content.png': async (input: PageInput) =>
    (await import('../content/page-png.ts')).renderPng(input),
  'rendition.page': async (input: PageImageInput) =>
    (await import('../content/page-image.ts')).writePageImage(input),
  /** Ahead of the first page. */
  'recognition.load': async () => (await import('../recognition/models.ts')).loadUsualModels(),
  'recognition.page': async (input: OcrPageInput, onLoaded: () => void) =>
    (await import('../recognition/page.ts')).ocrPage(input, onLoaded),
  'recognition.repair': async (input: RepairInput) =>
    (await import('../recognition/repair/repair.ts')).repairImage(input),
  'understanding.recognise': async (input: RecogniseInput) =>
    (await import('../understanding/operations.ts')).recogniseFile(input),
  'understanding.extract': async (input: ExtractInput) =>
    (await import('../understanding/operations.ts')).extractFile(input),
  'understanding.judge': async (input: JudgeInput) =>
    (await import('../understanding/operations.ts')).judgeFile(input),
  'understanding.recheck': async (input: RecheckInput) =>
    (await import('../understanding/operations.ts')).recheckFile(input),
  'understanding.abridge': async (input: TranscriptionFile) =>
    (await import('../understanding/operations.ts')).abridgeFile(input),
  'understanding.render': async (input: RenderInput) =>
    (await import('../understanding/operations.ts')).renderFile(input),
  'understanding.page-origin': async (input: PageOriginInput) =>
    (await import('../understanding/operations.ts')).findPageOrigin(input),
} satisfies OperationTable;

export type Operations = typeof operations;
