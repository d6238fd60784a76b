import type { Format } from '../format.ts';

export const pdf: Format = {
  title: 'PDF',
  types: { 'application/pdf': ['pdf'] },
  accepts: ({ signature }) => (signature === 'application/pdf' ? signature : undefined),
  inspect: async (input) => (await import('./read.ts')).inspectPdf(input),
  text: async (input) => (await import('./read.ts')).readPdf(input),
  pages: async (input) => (await import('./render.ts')).loadPdfPage(input),
  metadata: async (input) => (await import('./metadata.ts')).readPdfMetadata(input),
  holds: async (sample) => (await import('./holds-files.ts')).holdsFiles(sample),
  async *unpack(input) {
    yield* (await import('./unpack.ts')).unpackPdf(input);
  },
  pdf: async (input) => (await import('./cut.ts')).cutPdf(input),
};
