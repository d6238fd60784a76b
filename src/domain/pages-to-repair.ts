import type { Defect, Page } from './transcription.ts';

export interface PageToRepair {
  number: number;
  defects: Defect[];
}

/** The pages that were recognised poorly, and for reasons that can be repaired. */
export function pagesToRepair(pages: readonly Page[], belowScore: number): PageToRepair[] {
  return pages
    .filter(
      ({ native, quality: { score, defects } }) =>
        !native && score < belowScore && defects.length > 0,
    )
    .map(({ number, quality: { defects } }) => ({ number, defects }));
}
