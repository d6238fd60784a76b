const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const written =
  /^\s*(?:[a-z]{3}\s*,\s*)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4}|\d{2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s*([+-]\d{4}|[a-z]{1,5})\b/i;

/**
 * A date as mail programs write it, as one that sorts: in the sender's own time. Undefined for dates that people write,
 * and for its own answers: what begins with those lines is read as text, not as another message.
 */
export function mailDate(text: string): string | undefined {
  const [, day = '', name = '', year = '', time = '', zone = ''] = written.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return undefined;
  return `${wholeYear(year)}-${twoDigits(month)}-${twoDigits(day)} ${time} ${zone}`;
}

function wholeYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 50 ? `20${year}` : `19${year}`;
}

function twoDigits(number: string | number): string {
  return String(number).padStart(2, '0');
}
