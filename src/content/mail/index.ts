import type { Format } from '../format.ts';
import { sniffMail } from './recognise.ts';

export const message: Format = {
  title: 'Mail message',
  types: { 'message/rfc822': ['eml'] },
  accepts: ({ signature, text }) =>
    signature === undefined && sniffMail(text) === 'message/rfc822' ? 'message/rfc822' : undefined,
  unpack: async (input) => (await import('./message.ts')).unpackMessage(input),
};
