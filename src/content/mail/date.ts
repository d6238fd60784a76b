const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const rfc5322Date =
  /^\s*(?:[a-z]{3}\s*,\s*)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4}|\d{2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s*([+-]\d{4}|[a-z]{1,5})\b/i;

/**
 * Converts an RFC 5322 date to a sortable form, in the sender's time zone. Returns undefined for
 * other notations and for its own output: a message saved as text, which starts with such header
 * lines, is not recognised as a message again.
 */
export function mailDate(text: string): string | undefined {
  const [, day = '', name = '', year = '', time = '', zone = ''] = rfc5322Date.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return undefined;
  return `${fourDigitYear(year)}-${twoDigits(month)}-${twoDigits(day)} ${time} ${zone}`;
}

/** Zones by name that mail software writes. Others are unknown, so the time stays local. */
const zones: Readonly<Record<string, string>> = {
  GMT: 'Z',
  UT: 'Z',
  UTC: 'Z',
  Z: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};

/** Converts an RFC 5322 date to ISO 8601. */
export function isoMailDate(text: string): string | undefined {
  const [date, time = '', zone = ''] = mailDate(text)?.split(' ') ?? [];
  if (date === undefined) return undefined;
  const seconds = time.split(':').length === 3 ? '' : ':00';
  const offset = zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const known = offset === zone ? (zones[zone.toUpperCase()] ?? '') : offset;
  return `${date}T${time.replace(/^\d:/, '0$&')}${seconds}${known}`;
}

function fourDigitYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
}

function twoDigits(number: string | number): string {
  return String(number).padStart(2, '0');
}
