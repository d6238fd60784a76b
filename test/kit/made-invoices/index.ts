import type { Transcription } from '../../../src/domain/transcription.ts';
import { keys } from '../../../src/lib/keys.ts';
import { inventInvoice, type Truth } from './invoice.ts';
import { layouts } from './layouts.ts';
import { Sheet } from './sheet.ts';
import { wordings } from './wording.ts';

interface MadeInvoice {
  name: string;
  transcription: Transcription;
  truth: Truth;
}

interface Wanted {
  seed: number;
  /** Invoices per language and layout. */
  turns: number;
  languages?: readonly (keyof typeof wordings)[];
  layouts?: readonly (keyof typeof layouts)[];
}

/** Generates invoices as a reader would return them. The same seed gives the same invoices. */
export function makeInvoices({
  seed,
  turns,
  languages = keys(wordings),
  layouts: names = keys(layouts),
}: Wanted): MadeInvoice[] {
  return languages.flatMap((language, l) =>
    names.flatMap((layout, n) =>
      Array.from({ length: turns }, (_, turn) => {
        const { invoice, truth } = inventInvoice(language, seed + 10_000 * l + 100 * n + turn);
        const sheet = new Sheet();
        layouts[layout](sheet, invoice);
        const transcription = {
          engine: 'made/1',
          pages: [sheet.page()],
          embedded: [],
          problems: [],
        };
        return { name: `${language} ${layout} ${turn + 1}`, transcription, truth };
      }),
    ),
  );
}
