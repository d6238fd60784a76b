import type { Format } from '../format.ts';
import { mayHaveAttachments, sniffMail } from './recognise.ts';

export const message: Format = {
  title: 'Mail message',
  types: { 'message/rfc822': ['eml'] },
  accepts: ({ signature, text }) =>
    signature === undefined && sniffMail(text) === 'message/rfc822' ? 'message/rfc822' : undefined,
  holds: ({ text }) => mayHaveAttachments(text),
  inspect: async () => ({ pages: 1, encrypted: false, embedded: [] }),
  text: async (input) => (await import('./text.ts')).readMessage(input),
  async *unpack(input) {
    yield* (await import('./message.ts')).unpackMessage(input);
  },
};
