export interface Pace {
  /** Documents that have not finished. */
  open: number;
  /** Documents finished since the batch started, and the time that took. */
  ended: number;
  elapsedSeconds: number;
  /** Documents finished in the recent window, and its length. */
  endedLately: number;
  latelySeconds: number;
}

export interface Estimate {
  /** Documents per second in the recent window. */
  rate: number;
  /** Seconds until the end, as a range; null while no document has finished. */
  eta: { soonest: number; latest: number } | null;
}

/** The range spans the overall pace and the recent pace, widened by 20 % on either side. */
export function estimate({
  open,
  ended,
  elapsedSeconds,
  endedLately,
  latelySeconds,
}: Pace): Estimate {
  const rate = perSecond(endedLately, Math.min(latelySeconds, elapsedSeconds));
  const paces = [rate, perSecond(ended, elapsedSeconds)].filter((pace) => pace > 0);
  if (open === 0) return { rate, eta: { soonest: 0, latest: 0 } };
  if (paces.length === 0) return { rate, eta: null };
  const soonest = Math.round((open / Math.max(...paces)) * 0.8);
  const latest = Math.ceil((open / Math.min(...paces)) * 1.2);
  return { rate, eta: { soonest, latest } };
}

function perSecond(count: number, seconds: number): number {
  return seconds > 0 ? Math.round((count / seconds) * 100) / 100 : 0;
}
