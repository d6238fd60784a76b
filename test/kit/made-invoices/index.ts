import type { Transcription } from '../../../src/domain/transcription.ts';
import { inventInvoice, type Truth } from './invoice.ts';
import { type LayoutName, layouts } from './layouts.ts';
import type { Language } from './parties.ts';
import { Sheet } from './sheet.ts';

export interface MadeInvoice {
  name: string;
  transcription: Transcription;
  truth: Truth;
}

/** Invoices as a reader gives them, one for each language, layout and turn. */
export function makeInvoices(
  languages: readonly Language[],
  names: readonly LayoutName[],
  { seed, turns }: { seed: number; turns: number },
): MadeInvoice[] {
  return languages.flatMap((language, l) =>
    names.flatMap((layout, n) =>
      Array.from({ length: turns }, (_, turn) => {
        const { invoice, truth } = inventInvoice(language, seed + 10_000 * l + 100 * n + turn);
        const sheet = new Sheet();
        layouts[layout](sheet, invoice);
        const transcription = { engine: 'made/1', pages: [sheet.page()], embedded: [], problems: [] };
        return { name: `${language} ${layout} ${turn + 1}`, transcription, truth };
      }),
    ),
  );
}
