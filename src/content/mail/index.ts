import type { Format } from '../format.ts';
import { mayHaveAttachments, sniffMail } from './recognise.ts';

const longText = 64 * 1024;

export const message: Format = {
  title: 'Mail message',
  types: { 'message/rfc822': ['eml', 'mht', 'mhtml'] },
  accepts: ({ signature, text }) =>
    signature === undefined && sniffMail(text) === 'message/rfc822' ? 'message/rfc822' : undefined,
  // A file between the lines of a long text may begin behind the sample.
  holds: ({ head, text }) => head.length >= longText || mayHaveAttachments(text),
  inspect: async () => ({ pages: 1, encrypted: false, embedded: [] }),
  text: async (input) => (await import('./text.ts')).readMessage(input),
  metadata: async (input) => (await import('./metadata.ts')).readMailMetadata(input),
  async *unpack(input) {
    yield* (await import('./message.ts')).unpackMessage(input);
  },
};
