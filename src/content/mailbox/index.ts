import type { Format } from '../format.ts';
import { sniffMail } from '../mail/recognise.ts';

export const mailbox: Format = {
  title: 'Mailbox',
  types: { 'application/mbox': ['mbox'] },
  accepts: ({ signature, text }) =>
    signature === undefined && sniffMail(text) === 'application/mbox'
      ? 'application/mbox'
      : undefined,
  async *unpack(input) {
    yield* (await import('./mbox.ts')).unpackMbox(input);
  },
};
