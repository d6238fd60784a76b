import { MINUTE, SECOND } from '../lib/time.ts';

/** Bounds of what a vendor may ask for: it can neither make us spin nor forget a document. */
export const patience = {
  leastMs: 1 * SECOND,
  mostMs: 15 * MINUTE,
  unaskedMs: 30 * SECOND,
} as const;

/** How long to leave a vendor alone, by its `retry-after-ms` or `retry-after` (seconds or HTTP date) header. */
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

/** A date means a moment on the vendor's clock, which it also sends. */
function clockOf(header: (name: string) => string | null | undefined, now: number): number {
  const at = Date.parse(header('date') ?? '');
  return Number.isNaN(at) ? now : at;
}
