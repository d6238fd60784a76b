import { expect, test } from 'vitest';
import { detectLanguage } from './language.ts';

test.each([
  ['en', 'Thank you for shopping with us, please keep the receipt for your records.'],
  ['de', 'Wir danken für Ihren Einkauf und bitten Sie, den Betrag auf das Konto zu überweisen.'],
  [
    'fr',
    'Nous vous remercions pour votre commande et la confiance dans nos services, le montant est dû.',
  ],
  ['es', 'Gracias por su compra en la tienda, el importe se carga con la tarjeta del cliente.'],
])('%s', (language, text) => expect(detectLanguage(text)).toBe(language));

test('numbers have no language', () => expect(detectLanguage('12.00 X 3 TOTAL')).toBeUndefined());
