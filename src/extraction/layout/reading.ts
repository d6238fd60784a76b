import { languageOf } from '../../domain/language.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { type DecimalMark, decimalMarkOf } from '../values/amount.ts';
import type { DateOrder } from '../values/date.ts';
import { dateOrderOf } from '../values/date-order.ts';
import { type LabelledDate, labelledDatesOf } from './dates.ts';
import { type LabelledAmount, labelledAmountsOf } from './labelled-amount.ts';
import { type Line, linesOf } from './line.ts';
import { type PrintedCurrency, printedCurrencyOf } from './printed-currency.ts';

/** A document as rules see it. */
export interface Reading {
  lines: readonly Line[];
  language: string | undefined;
  decimal: DecimalMark | undefined;
  currency: PrintedCurrency | undefined;
  dateOrder: DateOrder | undefined;
  amounts: readonly LabelledAmount[];
  dates: readonly LabelledDate[];
}

export function readLayout(transcription: Pick<Transcription, 'pages'>): Reading {
  const lines = linesOf(transcription);
  const text = lines.map((line) => line.text).join('\n');
  const language = languageOf(text);
  const decimal = decimalMarkOf(text);
  const currency = printedCurrencyOf(lines, language);
  const dates = labelledDatesOf(lines);
  const matches = dates.map(({ match }) => match);
  return {
    lines,
    language,
    decimal,
    currency,
    dates,
    amounts: labelledAmountsOf(lines, decimal),
    dateOrder: dateOrderOf(matches, { currency: currency?.code, language, text }),
  };
}
