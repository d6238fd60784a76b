/** Exponential, capped, with full jitter in its upper half: retries of many tasks spread out. */
export function backoff(
  attempt: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(ceiling * (0.5 + Math.random() / 2));
}
