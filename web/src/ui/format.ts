const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Such as "2 hours ago". */
export function formatAge(iso: string): string {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  const [unit, size] = units.find(([, size]) => -seconds >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

export function formatTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  const maximumFractionDigits = size < 10 ? 1 : 0;
  return size.toLocaleString(undefined, { style: 'unit', unit, maximumFractionDigits });
}

const abbreviations = /\b(vat|iban|bic|id)\b/g;

/** `supplier_vat_id` as "Supplier VAT ID". */
export function formatName(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(abbreviations, (abbreviation) => abbreviation.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of a field on one line. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return value.toLocaleString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
