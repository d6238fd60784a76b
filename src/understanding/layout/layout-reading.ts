import { detectLanguage } from '../../domain/language.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import { type DecimalMark, findDecimalMark } from '../values/amount.ts';
import type { DateOrder } from '../values/date.ts';
import { detectDateOrder } from '../values/date-order.ts';
import { findLabelledDates, type LabelledDate } from './dates.ts';
import { findLabelledAmounts, type LabelledAmount } from './labelled-amount.ts';
import { type Line, toLines } from './line.ts';
import { findPrintedCurrency, type PrintedCurrency } from './printed-currency.ts';
import { readablePart } from './readable-part.ts';

/** A document as the rules see it. */
export interface LayoutReading {
  readonly lines: readonly Line[];
  readonly language: string | undefined;
  readonly decimal: DecimalMark | undefined;
  readonly currency: PrintedCurrency | undefined;
  readonly dateOrder: DateOrder | undefined;
  readonly amounts: readonly LabelledAmount[];
  readonly dates: readonly LabelledDate[];
}

/** Reads a document once, and only as far as is asked: an e-invoice needs little of its pages. */
export const readLayout = memoizeBy(
  (transcription: Pick<Transcription, 'pages'>): LayoutReading => {
    const lines = toLines({ pages: readablePart(transcription.pages) });
    return {
      lines,
      get language() {
        return languageOf(lines);
      },
      get decimal() {
        return decimalOf(lines);
      },
      get currency() {
        return currencyOf(lines);
      },
      get dateOrder() {
        return dateOrderOf(lines);
      },
      get amounts() {
        return amountsOf(lines);
      },
      get dates() {
        return datesOf(lines);
      },
    };
  },
);

const textOf = memoizeBy((lines: readonly Line[]) => lines.map(({ text }) => text).join('\n'));
const languageOf = memoizeBy((lines: readonly Line[]) => detectLanguage(textOf(lines)));
const decimalOf = memoizeBy((lines: readonly Line[]) => findDecimalMark(textOf(lines)));
const datesOf = memoizeBy(findLabelledDates);
const currencyOf = memoizeBy((lines: readonly Line[]) =>
  findPrintedCurrency(lines, languageOf(lines)),
);
const amountsOf = memoizeBy((lines: readonly Line[]) =>
  findLabelledAmounts(lines, decimalOf(lines)),
);
const dateOrderOf = memoizeBy((lines: readonly Line[]) =>
  detectDateOrder(
    datesOf(lines).map(({ match }) => match),
    { currency: currencyOf(lines)?.code, language: languageOf(lines), text: textOf(lines) },
  ),
);
