const width = 24;

/** A progress bar of block characters. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? width : Math.round((Math.min(done, total) / total) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
