import { detectLanguage } from '../../domain/language.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { type DecimalMark, findDecimalMark } from '../values/amount.ts';
import type { DateOrder } from '../values/date.ts';
import { detectDateOrder } from '../values/date-order.ts';
import { findLabelledDates, type LabelledDate } from './dates.ts';
import { findLabelledAmounts, type LabelledAmount } from './labelled-amount.ts';
import { type Line, toLines } from './line.ts';
import { findPrintedCurrency, type PrintedCurrency } from './printed-currency.ts';

/** A document as the rules see it. */
export interface LayoutReading {
  lines: readonly Line[];
  language: string | undefined;
  decimal: DecimalMark | undefined;
  currency: PrintedCurrency | undefined;
  dateOrder: DateOrder | undefined;
  amounts: readonly LabelledAmount[];
  dates: readonly LabelledDate[];
}

export function readLayout(transcription: Pick<Transcription, 'pages'>): LayoutReading {
  const lines = toLines(transcription);
  const text = lines.map((line) => line.text).join('\n');
  const language = detectLanguage(text);
  const decimal = findDecimalMark(text);
  const currency = findPrintedCurrency(lines, language);
  const dates = findLabelledDates(lines);
  const matches = dates.map(({ match }) => match);
  return {
    lines,
    language,
    decimal,
    currency,
    dates,
    amounts: findLabelledAmounts(lines, decimal),
    dateOrder: detectDateOrder(matches, { currency: currency?.code, language, text }),
  };
}
