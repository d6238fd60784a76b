import { type AmountMatch, type DecimalMark, findAmounts } from '../values/amount.ts';
import { findDates } from '../values/date.ts';
import { type AmountRole, findAmountRole } from './amount-role.ts';
import { headedAmounts, headsItems } from './headed-amounts.ts';
import { phrasesFor } from './labels.ts';
import type { Line } from './line.ts';
import { findPhrase } from './phrase.ts';

export interface LabelledAmount {
  role: AmountRole | undefined;
  /** The words that determined the role. */
  label: string;
  amount: AmountMatch;
  line: Line;
  /**
   * Printed in the tax breakdown of a receipt, where "total" does not mean the document's total.
   */
  inTaxSummary: boolean;
}

/** All money amounts of the document, with the roles given by their labels. */
export function findLabelledAmounts(
  lines: readonly Line[],
  decimal: DecimalMark | undefined,
): LabelledAmount[] {
  const money = lines.map(({ text }) => moneyIn(text, decimal));
  const borrowed = labelsAbove(lines, money);
  const headed = headedAmounts(lines, money);
  let inTaxSummary = false;
  return lines.flatMap((line, i) => {
    const amounts = money[i] ?? [];
    const last = amounts.at(-1);
    const { role, label } = roleOf(
      last ? line.text.slice(0, last.start) : '',
      borrowed.get(i) ?? '',
    );
    inTaxSummary ||= role === undefined && headsTaxes(line);
    const isAlone = amounts.length === 1 && role !== undefined;
    return amounts.map((amount) => {
      const own = amount === last ? { role, label } : unlabelled;
      return { ...((!isAlone && headed.get(amount)) || own), amount, line, inTaxSummary };
    });
  });
}

function headsTaxes(line: Line): boolean {
  return findPhrase(line.text, phrasesFor('taxSummary')) !== undefined && !headsItems(line);
}

const unlabelled = { role: undefined, label: '' };

/** The nearest label wins: in "Items 3 Total 41.50" it is "Total". */
function roleOf(beside: string, above: string): Pick<LabelledAmount, 'role' | 'label'> {
  const nearest = beside.slice((beside.match(/.*\d/)?.[0] ?? '').length);
  for (const label of [nearest, beside, above]) {
    const role = findAmountRole(label);
    if (role) return { role, label };
  }
  return unlabelled;
}

/**
 * Amounts with decimals or a currency. Plain numbers count only at the end of a line without such
 * amounts.
 */
function moneyIn(text: string, decimal: DecimalMark | undefined): AmountMatch[] {
  const dates = findDates(text);
  const amounts = findAmounts(text, decimal).filter(
    ({ start, end, percent }) =>
      !percent && !dates.some((date) => date.start < end && date.end > start),
  );
  const money = amounts.filter(({ decimals, marked }) => decimals >= 2 || marked);
  return money.length > 0
    ? money
    : amounts
        .slice(-1)
        .filter(({ start, end, value }) => standsApart(text, start, end) && value < 1e6);
}

function standsApart(text: string, start: number, end: number): boolean {
  return /(?:^|[\s:])$/.test(text.slice(0, start)) && text.slice(end).trim() === '';
}

/**
 * Matches labels with amounts below them: a run of label lines without amounts, followed by lines
 * with nothing but an amount, in the same order. Readers that do not preserve rows output columns
 * this way.
 */
function labelsAbove(
  lines: readonly Line[],
  money: readonly AmountMatch[][],
): ReadonlyMap<number, string> {
  const borrowed = new Map<number, string>();
  let labels: string[] = [];
  let afterAmount = false;
  for (const [i, { text }] of lines.entries()) {
    const amounts = money[i] ?? [];
    const bare = isBareAmount(text, amounts);
    if (bare) {
      const label = labels.shift();
      if (label !== undefined) borrowed.set(i, label);
    } else if (amounts.length === 0 && findAmountRole(text)) {
      labels = afterAmount ? [text] : [...labels.slice(-longestRun), text];
    } else if (!isCurrencyOnly(text)) {
      labels = [];
    }
    afterAmount = bare;
  }
  return borrowed;
}

const longestRun = 12;

function isBareAmount(text: string, amounts: readonly AmountMatch[]): boolean {
  const rest = amounts.reduceRight(
    (left, { start, end }) => left.slice(0, start) + left.slice(end),
    text,
  );
  return amounts.length === 1 && rest.replace(/[^\p{L}]/gu, '').length <= 2;
}

function isCurrencyOnly(text: string): boolean {
  return /^[\s(:]*(?:[A-Z]{2,3}|[€$£])?[\s):]*$/.test(text);
}
