import type { InspectImageInput } from '../content/image/inspect.ts';
import type { RepairInput } from '../recognition/repair/repair.ts';
import type { MockInput } from './mock.ts';
import type { OcrPageInput } from '../recognition/page.ts';
import type { Operations } from './operation.ts';
import type { CutPdfInput } from '../content/pdf/cut.ts';
import type { InspectPdfInput } from '../content/pdf/inspect.ts';
import type { ReadPdfInput } from '../content/pdf/read.ts';
import type { RenderPdfInput } from '../content/pdf/render-png.ts';

/** All that a child can do. Engines are loaded when first used: a child that reads text never loads a model. */
export const operations = {
  'pdf.inspect': async (input: InspectPdfInput) => (await import('../content/pdf/inspect.ts')).inspectPdf(input),
  'pdf.cut': async (input: CutPdfInput) => (await import('../content/pdf/cut.ts')).cutPdf(input),
  'pdf.read': async (input: ReadPdfInput) => (await import('../content/pdf/read.ts')).readPdf(input),
  'pdf.render': async (input: RenderPdfInput) => (await import('../content/pdf/render-png.ts')).renderPdf(input),
  'image.inspect': async (input: InspectImageInput) => (await import('../content/image/inspect.ts')).inspectImage(input),
  'ocr.page': async (input: OcrPageInput) => (await import('../recognition/page.ts')).ocrPage(input),
  'image.repair': async (input: RepairInput) => (await import('../recognition/repair/repair.ts')).repairImage(input),
  mock: async (input: MockInput) => (await import('./mock.ts')).playMock(input),
} satisfies Operations;
