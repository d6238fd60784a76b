import type { Defect } from '../../../domain/transcription.ts';

/** The vendor's names of defects we have a name for. */
export const defectNames = {
  'quality/defect_blurry': 'blurry',
  'quality/defect_noisy': 'noisy',
  'quality/defect_dark': 'dark',
  'quality/defect_faint': 'low-contrast',
  'quality/defect_text_too_small': 'small-text',
} as const satisfies Record<string, Defect>;

const ours = new Map<string, Defect>(Object.entries(defectNames));

/** The vendor lists every defect it looks for; most of them with next to no confidence. */
const LIKELY = 0.5;

export function toDefects(detected: { type: string; confidence: number }[]): Defect[] {
  return detected.flatMap(({ type, confidence }) =>
    confidence >= LIKELY ? (ours.get(type) ?? []) : [],
  );
}
