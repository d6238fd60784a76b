import { type Format, headBytes } from '../format.ts';
import { onePage } from '../office/pages.ts';

export const rtf: Format = {
  title: 'Rich text',
  types: { 'application/rtf': ['rtf'] },
  accepts: ({ head }) =>
    /^\s*\{\\rt/.test(head.toString('latin1', 0, 64)) ? 'application/rtf' : undefined,
  inspect: async () => onePage,
  text: async (input) => (await import('./read.ts')).readRtf(input),
  metadata: async (input) => (await import('./read.ts')).readRtfMetadata(input),
  // Objects may begin behind the head.
  holds: ({ head, text }) => head.length >= headBytes || text.includes('\\objdata'),
  async *unpack(input) {
    yield* (await import('./objects.ts')).unpackRtf(input);
  },
};
