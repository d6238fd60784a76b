import type { MadeInvoice } from './invoice.ts';

/** Labels to the left of their values. */
export const labelsBeside: MadeInvoice[] = [
  {
    language: 'English',
    pages: [
      `
Harbour Light Catering Ltd                         INVOICE
Unit 4, Quay Road
Porthaven PH2 6QX                   Invoice No.     HLC/2025/219
VAT Reg No GB 844 2671 93           Invoice date    7 November 2025
                                    Order date      21 October 2025
Invoice to                          Date of supply  1 November 2025
Brackenridge School                 Payment due     7 December 2025
Hill Lane
Porthaven PH1 1AA

Description                     Qty    Unit price      VAT      Amount
Lunch boxes, assorted           120          4.75     20 %      570.00
Tea and coffee, per head        120          1.50     20 %      180.00

                                            Net total            750.00
                                            VAT at 20 %          150.00
                                            Amount due          £900.00

Bank transfer to sort code 12-34-56, account 01234567. Thank you for your custom.`,
    ],
    truth: {
      invoice_number: 'HLC/2025/219',
      invoice_date: '2025-11-07',
      due_date: '2025-12-07',
      supplier_name: 'Harbour Light Catering Ltd',
      supplier_vat_id: 'GB844267193',
      currency: 'GBP',
      subtotal: 750,
      vat_amount: 150,
      total: 900,
    },
  },
  {
    language: 'Dutch',
    pages: [
      `
Van der Meulen Fietsen B.V.
Kanaalweg 88
3526 KM Utrecht
BTW-nummer NL861234567B01
KvK-nummer 76543210

Klant
Stichting De Linde
Dorpsstraat 5
3701 AB Zeist

FACTUUR
Factuurnummer: 2025-0456
Factuurdatum: 14-10-2025
Leverdatum: 10-10-2025
Vervaldatum: 13-11-2025

Omschrijving                   Aantal       Prijs       Bedrag
Bakfiets, onderhoudsbeurt           3      €  89,00    €  267,00
Binnenband 28 inch                 10      €   7,50    €   75,00

Subtotaal                                              €  342,00
21% btw over € 342,00                                  €   71,82
Te betalen                                             €  413,82

Wij verzoeken u het bedrag voor de vervaldatum over te maken op onze rekening.`,
    ],
    truth: {
      invoice_number: '2025-0456',
      invoice_date: '2025-10-14',
      due_date: '2025-11-13',
      supplier_name: 'Van der Meulen Fietsen B.V.',
      supplier_vat_id: 'NL861234567B01',
      currency: 'EUR',
      subtotal: 342,
      vat_amount: 71.82,
      total: 413.82,
    },
  },
  {
    language: 'Danish',
    pages: [
      `
Nørrebro Tømrer ApS                               Faktura
Rantzausgade 21
2200 København N                     Fakturanr.        10342
CVR-nr. 38472916                     Fakturadato       03.09.2025
                                     Leveringsdato     29.08.2025
Kunde                                Forfaldsdato      17.09.2025
Ejerforeningen Solhøj
Solvej 12
2400 København NV

Beskrivelse                     Antal     Enhedspris       Beløb
Montering af dør                    2       1.850,00    3.700,00
Materialer                          1       2.140,50    2.140,50

                                 Subtotal              5.840,50
                                 Moms 25 %             1.460,13
                                 I alt DKK             7.300,63

Beløbet bedes betalt til bank reg.nr. 9999 kontonr. 1234567890. Ved for sen betaling beregnes rente.`,
    ],
    truth: {
      invoice_number: '10342',
      invoice_date: '2025-09-03',
      due_date: '2025-09-17',
      supplier_name: 'Nørrebro Tømrer ApS',
      supplier_vat_id: '38472916',
      currency: 'DKK',
      subtotal: 5840.5,
      vat_amount: 1460.13,
      total: 7300.63,
    },
  },
  {
    language: 'Finnish',
    pages: [
      `
Koskenranta Siivous Oy                            LASKU
Tehtaankatu 14 B
33100 Tampere                        Laskun numero       25117
Y-tunnus 2345678-9                   Laskun päivämäärä   5.11.2025
                                     Toimituspäivä       31.10.2025
Asiakas                              Eräpäivä            19.11.2025
Taloyhtiö Mäntylä
Mäntytie 3
33200 Tampere

Kuvaus                         Määrä     Yksikköhinta       Summa
Porrassiivous, lokakuu             4           145,00      580,00 €
Ikkunoiden pesu                    1           320,00      320,00 €

                               Veroton summa               900,00 €
                               ALV 25,5 %                  229,50 €
                               Maksettava yhteensä       1 129,50 €

Viitenumero 1234561                  Kiitos ja mukavaa syksyn jatkoa`,
    ],
    truth: {
      invoice_number: '25117',
      invoice_date: '2025-11-05',
      due_date: '2025-11-19',
      supplier_name: 'Koskenranta Siivous Oy',
      supplier_vat_id: '23456789',
      currency: 'EUR',
      subtotal: 900,
      vat_amount: 229.5,
      total: 1129.5,
    },
  },
];
