/** A line of CSV (RFC 4180). Text that a spreadsheet would run as a formula is marked as text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function asText(cell: string): string {
  return /^\s*[=+\-@\t\r|%]/.test(cell) ? `'${cell}` : cell;
}
