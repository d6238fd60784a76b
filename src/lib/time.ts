export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const units = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** `90`, `90s`, `15m`, `250ms` → milliseconds; a bare number is seconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units];
}

/** Milliseconds → `90s`, `15m`, `1d`: the largest unit that needs no fraction. */
export function formatDuration(ms: number): string {
  const fitting = Object.entries(units).filter(([, unit]) => ms % unit === 0);
  const [name, unit] = fitting.at(-1) ?? ['ms', 1];
  return ms === 0 ? '0s' : `${ms / unit}${name}`;
}

/** Milliseconds since some point in the past; never jumps with the wall clock. */
export function monotonicNow(): number {
  return performance.now();
}
