import type { Defect } from '../../../domain/transcription.ts';

/** Maps defect names of the vendor to ours. */
export const defectNames = {
  'quality/defect_blurry': 'blurry',
  'quality/defect_noisy': 'noisy',
  'quality/defect_dark': 'dark',
  'quality/defect_faint': 'low-contrast',
  'quality/defect_text_too_small': 'small-text',
} as const satisfies Record<string, Defect>;

const ours = new Map<string, Defect>(Object.entries(defectNames));

/** The vendor lists every defect it checks, most with very low confidence. */
const LIKELY = 0.5;

export function toDefects(detected: { type: string; confidence: number }[]): Defect[] {
  return detected.flatMap(({ type, confidence }) =>
    confidence >= LIKELY ? (ours.get(type) ?? []) : [],
  );
}
