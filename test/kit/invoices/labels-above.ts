import type { MadeInvoice } from './invoice.ts';

/** Labels above their values, seller and customer side by side. */
export const labelsAbove: MadeInvoice[] = [
  {
    language: 'German',
    pages: [
      `
Gärtnerei Hollerbusch GmbH

Gärtnerei Hollerbusch GmbH · Am Anger 3 · 99891 Tabarz
Hotel Drei Gleichen KG
Burgstraße 1
99869 Wandersleben

Rechnung

Rechnungsnummer        Rechnungsdatum        Lieferdatum         Kundennummer
RG-25-0871             28.08.2025            25.08.2025          4410

Pos   Bezeichnung                 Menge      Einzelpreis      Gesamt
1     Kübelpflanzen                  12            38,50      462,00
2     Pflanzerde, Sack               30             9,20      276,00

                                     Nettobetrag              738,00 €
                                     zzgl. 19 % USt           140,22 €
                                     Rechnungsbetrag          878,22 €

Zahlbar bis 27.09.2025 ohne Abzug. Vielen Dank für Ihren Auftrag.
USt-IdNr. DE136695976    IBAN DE89 3704 0044 0532 0130 00`,
    ],
    truth: {
      invoice_number: 'RG-25-0871',
      invoice_date: '2025-08-28',
      due_date: '2025-09-27',
      supplier_name: 'Gärtnerei Hollerbusch GmbH',
      supplier_vat_id: 'DE136695976',
      currency: 'EUR',
      subtotal: 738,
      vat_amount: 140.22,
      total: 878.22,
    },
  },
  {
    language: 'Italian',
    pages: [
      `
Falegnameria Bellandi S.r.l.                       Cliente
Via dei Mille 40                                   Studio Associato Ferri
56121 Pisa (PI)                                    Piazza Dante 2
P.IVA IT00743110157                                56126 Pisa (PI)

FATTURA

Numero fattura         Data fattura          Scadenza
112/2025               15/09/2025            15/10/2025

Descrizione                      Quantità       Prezzo       Importo
Libreria su misura                      1     1.480,00      1.480,00
Montaggio, ore                          6        35,00        210,00

                                     Imponibile             € 1.690,00
                                     IVA 22%                €   371,80
                                     Totale fattura         € 2.061,80

Bonifico bancario: IT60 X054 2811 1010 0000 0123 456`,
    ],
    truth: {
      invoice_number: '112/2025',
      invoice_date: '2025-09-15',
      due_date: '2025-10-15',
      supplier_name: 'Falegnameria Bellandi S.r.l.',
      supplier_vat_id: 'IT00743110157',
      currency: 'EUR',
      subtotal: 1690,
      vat_amount: 371.8,
      total: 2061.8,
    },
  },
  {
    language: 'Polish',
    pages: [
      `
Faktura VAT nr FV/118/10/2025                      Gdynia, dnia 06.10.2025

Data wystawienia: 06.10.2025        Data sprzedaży: 30.09.2025
Termin płatności: 20.10.2025        Sposób zapłaty: przelew

Sprzedawca                                         Nabywca
Stocznia Mewa Sp. z o.o.                           Klub Żeglarski Fala
ul. Portowa 15                                     ul. Plażowa 2
81-350 Gdynia                                      81-718 Sopot
NIP 586-010-41-34                                  NIP 585-123-45-67

Lp.   Nazwa                       Ilość      Cena netto     Wartość netto
1     Remont kadłuba                  1        4 200,00          4 200,00
2     Farba okrętowa, litr           15           62,00            930,00

                                  Razem netto                   5 130,00 zł
                                  VAT 23%                       1 179,90 zł
                                  Razem do zapłaty              6 309,90 zł`,
    ],
    truth: {
      invoice_number: 'FV/118/10/2025',
      invoice_date: '2025-10-06',
      due_date: '2025-10-20',
      supplier_name: 'Stocznia Mewa Sp. z o.o.',
      supplier_vat_id: '5860104134',
      currency: 'PLN',
      subtotal: 5130,
      vat_amount: 1179.9,
      total: 6309.9,
    },
  },
  {
    language: 'Czech',
    pages: [
      `
FAKTURA - DAŇOVÝ DOKLAD č. 2025110073

Dodavatel:                                         Odběratel:
Truhlářství Vorel s.r.o.                           Obec Lhotka
Nádražní 110                                       Náves 1
702 00 Ostrava                                     739 47 Lhotka
DIČ: CZ25596641                                    IČO: 00296856

Datum vystavení: 4. 11. 2025
Datum uskutečnění zdanitelného plnění: 31. 10. 2025
Datum splatnosti: 18. 11. 2025

Popis                           Množství     Cena za MJ        Celkem
Lavice dubová                          5       3 900,00     19 500,00
Doprava                                1         800,00        800,00

                                Základ daně               20 300,00 Kč
                                DPH 21 %                   4 263,00 Kč
                                Celkem k úhradě           24 563,00 Kč`,
    ],
    truth: {
      invoice_number: '2025110073',
      invoice_date: '2025-11-04',
      due_date: '2025-11-18',
      supplier_name: 'Truhlářství Vorel s.r.o.',
      supplier_vat_id: 'CZ25596641',
      currency: 'CZK',
      subtotal: 20300,
      vat_amount: 4263,
      total: 24563,
    },
  },
];
