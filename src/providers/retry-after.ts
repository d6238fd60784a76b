import { MINUTE, SECOND } from '../lib/time.ts';

/** Bounds for requested delays: a vendor can cause neither a busy loop nor an endless wait. */
export const patience = {
  leastMs: 1 * SECOND,
  mostMs: 15 * MINUTE,
  unaskedMs: 30 * SECOND,
} as const;

/** Delay requested by `retry-after-ms` or `retry-after` (seconds or HTTP date), within bounds. */
export function retryAfterMs(
  header: (name: string) => string | null | undefined,
  now = Date.now(),
  mostMs: number = patience.mostMs,
): number {
  const asked = header('retry-after');
  const ms =
    number(header('retry-after-ms')) ??
    scaled(number(asked), SECOND) ??
    untilDate(asked, clockOf(header, now));
  return ms === undefined ? patience.unaskedMs : Math.min(Math.max(ms, patience.leastMs), mostMs);
}

function number(text: string | null | undefined): number | undefined {
  return text && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function scaled(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

function untilDate(text: string | null | undefined, now: number): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at - now;
}

/** A date refers to the vendor's clock, which the `date` header shows. */
function clockOf(header: (name: string) => string | null | undefined, now: number): number {
  const at = Date.parse(header('date') ?? '');
  return Number.isNaN(at) ? now : at;
}
