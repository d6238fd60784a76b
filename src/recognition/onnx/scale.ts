/** A real number is step × (integer - zero), the integer between 0 and 255. */
export interface Scale {
  step: number;
  zero: number;
}

export type Range = readonly [least: number, most: number];

export const LEVELS = 255;
/** HardSwish is 0 below minus this, and the number itself above it. */
export const KNEE = 3;

export function toScale([least, most]: Range): Scale {
  const low = Math.min(0, least);
  const step = (Math.max(0, most) - low) / LEVELS || 1;
  return { step, zero: Math.round(-low / step) };
}

/** For what goes into HardSwish: 0 stands for -3, so that all below, of which nothing remains, needs no integers. */
export function scaleBeforeSwish([, most]: Range): Scale {
  const zero = Math.max(1, Math.floor((KNEE * LEVELS) / (Math.max(0, most) + KNEE)));
  return { step: KNEE / zero, zero };
}
