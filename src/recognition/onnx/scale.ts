/** Affine uint8 quantisation: real = step × (integer - zero), where `zero` is the zero point. */
export interface Scale {
  step: number;
  zero: number;
}

export type Range = readonly [least: number, most: number];

export const LEVELS = 255;
/** HardSwish(x) is 0 for x ≤ -3 and x for x ≥ 3. */
export const KNEE = 3;

export function toScale([least, most]: Range): Scale {
  const low = Math.min(0, least);
  const step = (Math.max(0, most) - low) / LEVELS || 1;
  return { step, zero: Math.round(-low / step) };
}

/** Scale for inputs of HardSwish: maps -3 to 0, since all lower values become 0 anyway. */
export function scaleBeforeSwish([, most]: Range): Scale {
  const zero = Math.max(1, Math.floor((KNEE * LEVELS) / (Math.max(0, most) + KNEE)));
  return { step: KNEE / zero, zero };
}
