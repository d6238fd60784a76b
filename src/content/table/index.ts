import type { Format } from '../format.ts';
import { onePage } from '../office/pages.ts';
import { decodeText } from '../text/decode-text.ts';
import { isText } from '../text/sniff-text.ts';
import { recogniseTable } from './recognise.ts';

/** Tables as text: values separated by commas, semicolons, tabs or bars. */
export const table: Format = {
  title: 'Table',
  types: { 'text/csv': ['csv'], 'text/tab-separated-values': ['tsv', 'tab'] },
  accepts: ({ signature, head, name }) =>
    signature === undefined && isText(head) ? recogniseTable(decodeText(head), name) : undefined,
  inspect: async () => onePage,
  text: async (input) => (await import('./read.ts')).readTable(input),
};
