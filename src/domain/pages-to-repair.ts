import type { Defect, Page } from './transcription.ts';

export interface PageToRepair {
  number: number;
  /** Empty where the page is to be left as it is. */
  defects: Defect[];
}

/** Every page, so that numbers stay; what is wrong is named for those that were seen and read badly. */
export function pagesToRepair(pages: readonly Page[], belowScore: number): PageToRepair[] {
  return pages.map(({ number, native, quality }) => ({
    number,
    defects: !native && quality.score < belowScore ? quality.defects : [],
  }));
}
