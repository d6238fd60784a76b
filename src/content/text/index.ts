import type { Format } from '../format.ts';
import { isText, sniffText } from './sniff-text.ts';

const types = {
  'text/plain': ['txt', 'md', 'csv'],
  'application/xml': ['xml'],
  'application/json': ['json'],
  'text/vtt': ['vtt'],
};

export const text: Format = {
  title: 'Text',
  types,
  accepts: ({ signature, head, text }) => {
    if (signature !== undefined) return Object.hasOwn(types, signature) ? signature : undefined;
    return isText(head) ? sniffText(text) : undefined;
  },
  inspect: async (input) => (await import('./read.ts')).inspectText(input),
  text: async (input) => (await import('./read.ts')).readText(input),
};
