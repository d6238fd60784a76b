import { describe, expect, test } from 'vitest';
import { plain } from '../../../test/kit/pages.ts';
import { readLayout } from './layout-reading.ts';
import { findPaymentTerm } from './payment-terms.ts';

const dueBy = (...lines: string[]) =>
  findPaymentTerm(
    readLayout({ pages: [plain(['Invoice date: 31 January 2025', ...lines].join('\n'))] }),
  )?.value;

describe('days are counted from the date of issue', () => {
  test.each([
    ['Payable within 14 days.', '2025-02-14'],
    ['Terms: net 30 days', '2025-03-02'],
    ['Zahlbar innerhalb von 30 Tagen ohne Abzug', '2025-03-02'],
    ['Zahlungsbedingung: 30 Tage 2% Skonto, 60 Tage ohne Abzug', '2025-04-01'],
    ['Payable à 45 jours', '2025-03-17'],
    ['Pago a 10 días', '2025-02-10'],
    ['Pagamento a 7 giorni', '2025-02-07'],
    ['Betaling binnen 8 dagen', '2025-02-08'],
    ['Przelew 14 dni', '2025-02-14'],
    ['Betalningsvillkor: 20 dagar netto', '2025-02-20'],
  ])('%s', (terms, date) => expect(dueBy(terms)).toBe(date));

  test('under a heading', () => expect(dueBy('Terms of payment', '30 days')).toBe('2025-03-02'));
});

describe('there is none', () => {
  test.each([
    ['with a discount alone', 'Payable within 10 days less 3 % discount'],
    ['from another day', 'Payable within 30 days of receipt'],
    ['from the end of the month', 'Payable 30 days end of month'],
    ['for those in default', 'In default is who does not pay within 30 days, with interest'],
    ['where nothing is said of paying', 'Goods are kept for 14 days'],
    ['where two terms differ', 'Payable within 14 days; members: payment within 30 days'],
  ])('%s', (_, terms) => expect(dueBy(terms)).toBeUndefined());

  test('without a date to count from', () => {
    expect(
      findPaymentTerm(readLayout({ pages: [plain('Payable within 14 days')] })),
    ).toBeUndefined();
  });
});
