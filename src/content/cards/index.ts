import type { Format } from '../format.ts';
import { onePage } from '../office/pages.ts';

const types = { 'text/calendar': ['ics'], 'text/vcard': ['vcf'] };

/** Calendars and contacts: files of lines such as `SUMMARY:Lunch`. */
export const cards: Format = {
  title: 'Calendar and contacts',
  types,
  accepts: ({ text }) => {
    const [, kind] = /^\ufeff?\s*BEGIN:(VCALENDAR|VCARD)\s/i.exec(text) ?? [];
    if (kind === undefined) return undefined;
    return kind.toUpperCase() === 'VCARD' ? 'text/vcard' : 'text/calendar';
  },
  inspect: async () => onePage,
  text: async (input) => (await import('./read.ts')).readCards(input),
  metadata: async (input) => (await import('./read.ts')).readCardsMetadata(input),
};
