import type { Format } from '../format.ts';

const mark = '!BDN';
/** PST and OST files are those of the client; address books have another mark here. */
const client = { at: 8, marks: ['SM', 'SO'] };

export const outlookMailbox: Format = {
  title: 'Outlook mailbox',
  types: { 'application/vnd.ms-outlook-pst': ['pst', 'ost'] },
  accepts: ({ head }) => {
    const kind = head.toString('latin1', client.at, client.at + 2);
    const isPst = head.toString('latin1', 0, mark.length) === mark && client.marks.includes(kind);
    return isPst ? 'application/vnd.ms-outlook-pst' : undefined;
  },
  async *unpack(input) {
    yield* (await import('./pst.ts')).unpackPst(input);
  },
};
