/** A line of CSV (RFC 4180). Cells that look like a formula get a leading apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function asText(cell: string): string {
  return /^\s*[=+\-@\t\r|%]/.test(cell) ? `'${cell}` : cell;
}
