/**
 * A line of CSV (RFC 4180). Cells that look like a formula get a leading apostrophe. Spreadsheets
 * take full-width signs for the plain ones.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function asText(cell: string): string {
  return /^\s*[=+\-@\t\r|%\uff1d\uff0b\uff0d\uff20\uff5c\uff05]/.test(cell) ? `'${cell}` : cell;
}
