import { SSF } from '@e965/xlsx';

/** A stored number as a spreadsheet shows it. Text, and formats nobody understands, stay as is. */
export function formatNumber(
  stored: string,
  format: string | number | undefined,
  date1904 = false,
): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  try {
    const shown: string = SSF.format(format || 'General', value, { date1904 });
    return shown.trim() === '' ? '' : shown.replace(/\s+$/, '');
  } catch {
    return stored;
  }
}
