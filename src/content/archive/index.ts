import type { Format } from '../format.ts';

export const archive: Format = {
  title: 'Archive',
  types: { 'application/zip': ['zip'] },
  accepts: ({ signature }) => (signature === 'application/zip' ? signature : undefined),
  async *unpack(input) {
    yield* (await import('./zip.ts')).unpackZip(input);
  },
};
