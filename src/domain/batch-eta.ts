export interface Pace {
  /** Documents that have not ended. */
  open: number;
  /** Ended since the batch was started, and over which time. */
  ended: number;
  elapsedSeconds: number;
  /** Ended lately, and over which time. */
  endedLately: number;
  latelySeconds: number;
}

export interface Estimate {
  /** Documents a second, lately. */
  rate: number;
  /** Seconds until the end, as a range; null = not known: nothing has ended yet. */
  eta: { soonest: number; latest: number } | null;
}

/** The range lies between the pace of the whole batch and the pace of late, with a fifth on either side. */
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
