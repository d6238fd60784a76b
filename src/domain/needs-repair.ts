import type { Page } from './transcription.ts';

/** A page that was recognised poorly, and for reasons that can be repaired. */
export function needsRepair({ native, quality: { score, defects } }: Page, threshold: number): boolean {
  return !native && score < threshold && defects.length > 0;
}
