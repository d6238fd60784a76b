import type { InspectImageInput } from './image/inspect.ts';
import type { RepairInput } from './image/repair.ts';
import type { MockInput } from './mock.ts';
import type { OcrPageInput } from './ocr/page.ts';
import type { Operations } from './operation.ts';
import type { CutPdfInput } from './pdf/cut.ts';
import type { InspectPdfInput } from './pdf/inspect.ts';
import type { ReadPdfInput } from './pdf/read.ts';
import type { RenderPdfInput } from './pdf/render-png.ts';

/** All that a child can do. Engines are loaded when first used: a child that reads text never loads a model. */
export const operations = {
  'pdf.inspect': async (input: InspectPdfInput) => (await import('./pdf/inspect.ts')).inspectPdf(input),
  'pdf.cut': async (input: CutPdfInput) => (await import('./pdf/cut.ts')).cutPdf(input),
  'pdf.read': async (input: ReadPdfInput) => (await import('./pdf/read.ts')).readPdf(input),
  'pdf.render': async (input: RenderPdfInput) => (await import('./pdf/render-png.ts')).renderPdf(input),
  'image.inspect': async (input: InspectImageInput) => (await import('./image/inspect.ts')).inspectImage(input),
  'ocr.page': async (input: OcrPageInput) => (await import('./ocr/page.ts')).ocrPage(input),
  'image.repair': async (input: RepairInput) => (await import('./image/repair.ts')).repairImage(input),
  mock: async (input: MockInput) => (await import('./mock.ts')).playMock(input),
} satisfies Operations;
