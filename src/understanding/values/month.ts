import { fold } from '../../lib/fold.ts';

const locales = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'ms',
  'da',
  'sv',
  'nb',
  'pl',
  'fi',
  'cs',
];
const also: Readonly<Record<string, number>> = { sept: 9, mrz: 3, marz: 3 };

let months: ReadonlyMap<string, number> | undefined;

/** The number of a month from its full or short name in European languages or Malay. */
export function parseMonth(name: string): number | undefined {
  months ??= monthNames();
  return months.get(fold(name));
}

function monthNames(): ReadonlyMap<string, number> {
  const names = new Map(Object.entries(also));
  for (const locale of locales) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, {
        month: style,
        day: 'numeric',
        timeZone: 'UTC',
      });
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(Date.UTC(2000, month - 1, 1));
        const name = fold(parts.find(({ type }) => type === 'month')?.value ?? '');
        if (name.length >= 3 && !names.has(name)) names.set(name, month);
      }
    }
  }
  return names;
}
