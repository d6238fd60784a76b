/**
 * A line of CSV (RFC 4180). Cells that look like a formula get a leading apostrophe. Spreadsheets
 * take full-width signs for the plain ones.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Numbers are no formulas: a negative amount stays one. */
function asText(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  return /^\s*[=+\-@\t\r|%\uff1d\uff0b\uff0d\uff20\uff5c\uff05]/.test(cell) ? `'${cell}` : cell;
}
