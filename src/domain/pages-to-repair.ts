import type { Defect, Page } from './transcription.ts';

export interface PageToRepair {
  number: number;
  defects: Defect[];
}

/** Pages with a low OCR score whose defects can be repaired. */
export function pagesToRepair(pages: readonly Page[], belowScore: number): PageToRepair[] {
  return pages
    .filter(
      ({ native, quality: { score, defects } }) =>
        !native && score < belowScore && defects.length > 0,
    )
    .map(({ number, quality: { defects } }) => ({ number, defects }));
}
