import type { DocumentSchema } from '../schema/index.ts';

/** For documents that match no other schema. */
export const generic = {
  name: 'generic',
  version: 1,
  title: 'Any document',
  fields: {
    title: { kind: 'text', description: 'Title or subject as printed' },
    dates: {
      kind: 'lines',
      description: 'Dates that matter, with what they are',
      columns: { label: 'text', date: 'date' },
    },
    parties: {
      kind: 'lines',
      description: 'People and organisations the document is from, to or about',
      columns: { name: 'text' },
    },
    reference_numbers: {
      kind: 'lines',
      description: 'Numbers the document or its case goes by',
      columns: { label: 'text', number: 'text' },
    },
    summary: { kind: 'summary', description: 'What the document says, in one or two sentences' },
  },
  critical: ['title'],
  /**
   * Every page has a first line, so a title alone does not show that the document was understood.
   */
  rules: [{ kind: 'some', of: ['dates', 'parties', 'reference_numbers'] }],
  prompt: 'Say what this document is and read its dates, parties and reference numbers.',
} as const satisfies DocumentSchema;
