import { expect, test } from 'vitest';
import { dateRoleBeside } from './date-role.ts';

test.each([
  ['Invoice date', 'issued'],
  ['Fakturadatum', 'issued'],
  ['Data wystawienia:', 'issued'],
  ['Rechnungs- und Lieferdatum:', 'issued'],
  ['Rechnung Nr. 4711 vom', 'issued'],
  ['Handelsrechnung (380) Nr. 4711 vom', 'issued'],
  ['12 bis, place du Marché  Date de facturation', 'issued'],
  ['Date', 'dated'],
  ['Date of supply', 'other'],
  ['Date de facture associée :', 'other'],
  ['Datum uskutečnění zdanitelného plnění:', 'other'],
  ['Faktura nr', 'other'],
  ['Payment due', 'due'],
  ['Termin płatności:', 'due'],
  ['München, den', 'issued'],
  ['z. Hd. Frau Ritter  Paris, le', 'issued'],
  ['Zahlbar innerhalb 30 Tagen netto bis', 'due'],
  ['Zahlbar ohne Abschlag bis', 'due'],
  ['Zahlbar mit 2% Skonto bis', 'other'],
  ['Payable au plus tard le', 'due'],
  ['Stylesheet version 2.5 vom', undefined],
])('%s', (label, role) => expect(dateRoleBeside(`${label} `)).toBe(role));
