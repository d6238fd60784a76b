/** Whether a version such as 7.2.4 is equal to or newer than another. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [found, wanted] = [parseVersion(version), parseVersion(minimum)];
  for (const [i, number] of wanted.entries()) {
    const part = found[i] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}

function parseVersion(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
