import type { Format } from '../format.ts';
import { decodeText } from './decode-text.ts';
import { isText, sniffText } from './sniff-text.ts';

const types = {
  'text/plain': ['txt'],
  'text/markdown': ['md'],
  'application/xml': ['xml'],
  'application/json': ['json'],
  'text/vtt': ['vtt'],
};

export const text: Format = {
  title: 'Text',
  types,
  accepts: ({ signature, head, name }) => {
    if (signature !== undefined) return Object.hasOwn(types, signature) ? signature : undefined;
    return isText(head) ? sniffText(decodeText(head), name) : undefined;
  },
  metadata: async (input) => (await import('./metadata.ts')).readTextMetadata(input),
  inspect: async (input) => (await import('./read.ts')).inspectText(input),
  text: async (input) => (await import('./read.ts')).readText(input),
};
