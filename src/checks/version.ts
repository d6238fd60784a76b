/** Whether a version such as 7.2.4 is at least another. */
export function isAtLeast(version: string, least: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(least)];
  for (const [i, number] of theirs.entries()) {
    const own = ours[i] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
