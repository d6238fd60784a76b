import { SSF } from '@e965/xlsx';

/** Built-in formats whose meaning depends on the user's region, with the year in full. */
const regional: Record<string, string> = {
  14: 'mm/dd/yyyy',
  22: 'mm/dd/yyyy h:mm',
  'm/d/yy': 'mm/dd/yyyy',
  'm/d/yy h:mm': 'mm/dd/yyyy h:mm',
};

/** A stored number as a spreadsheet shows it. Text, and formats nobody understands, stay as is. */
export function formatNumber(
  stored: string,
  format: string | number | undefined,
  date1904 = false,
): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (!format || format === 'General') return formatGeneral(value);
  try {
    const shown: string = SSF.format(regional[format] ?? format, value, { date1904 });
    return shown.trim();
  } catch {
    return stored;
  }
}

/** In full, as in a wide column: 15 digits are what spreadsheets calculate with. */
export function formatGeneral(value: number): string {
  const short = String(Number(value.toPrecision(15)));
  return short.replace(/e([+-])/, 'E$1');
}
