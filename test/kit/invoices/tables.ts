import type { MadeInvoice } from './invoice.ts';

/** Tax tables, boxes of totals, several pages, and labels missing from the vocabulary. */
export const tables: MadeInvoice[] = [
  {
    language: 'French',
    pages: [
      `
Fromagerie des Alpages SAS                         FACTURE
18 route du Col
74450 Le Grand-Bornand               Facture n° FA-25-1190
N° TVA FR40303265045                 Date de facturation : 22/10/2025
                                     Date de livraison : 20/10/2025
Facturé à                            Échéance : 21/11/2025
Épicerie du Lac
3 quai des Marquisats
74000 Annecy

Désignation                 Qté     Prix unitaire      TVA      Montant HT
Reblochon fermier            40              6,20    5,5 %          248,00
Caisse de transport           4             12,50     20 %           50,00

Taux       Base HT       Montant TVA
5,5 %       248,00             13,64
20 %         50,00             10,00

                                  Total HT                        298,00 €
                                  Total TTC                       321,64 €`,
    ],
    truth: {
      invoice_number: 'FA-25-1190',
      invoice_date: '2025-10-22',
      due_date: '2025-11-21',
      supplier_name: 'Fromagerie des Alpages SAS',
      supplier_vat_id: 'FR40303265045',
      currency: 'EUR',
      subtotal: 298,
      vat_amount: 23.64,
      total: 321.64,
    },
  },
  {
    language: 'Portuguese',
    pages: [
      `
Oficina Mecânica Ribeiro Lda.
Rua do Comércio 77
4050-253 Porto
NIF PT501442600

Fatura n.º FT 2025/318

Data de emissão: 12 de setembro de 2025
Data de vencimento: 12 de outubro de 2025

Cliente
Transportes Douro S.A.
Avenida da Boavista 900
4100-112 Porto

Descrição                    Quantidade       Preço       Valor
Mudança de óleo                       2       60,00      120,00
Pastilhas de travão                   4       45,00      180,00

Total sem IVA            Total IVA 23 %             Total a pagar
300,00 €                        69,00 €                  369,00 €`,
    ],
    truth: {
      invoice_number: 'FT 2025/318',
      invoice_date: '2025-09-12',
      due_date: '2025-10-12',
      supplier_name: 'Oficina Mecânica Ribeiro Lda.',
      supplier_vat_id: 'PT501442600',
      currency: 'EUR',
      subtotal: 300,
      vat_amount: 69,
      total: 369,
    },
  },
  {
    language: 'Norwegian, two pages',
    pages: [
      `
Fjellheim Elektro AS                              FAKTURA
Storgata 9
2609 Lillehammer                     Fakturanummer     88213
Org.nr. 987 654 321 MVA              Fakturadato       18.08.2025
                                     Ordredato         30.07.2025
Kunde                                Forfallsdato      01.09.2025
Solbakken Borettslag
Solbakken 4
2615 Lillehammer

Beskrivelse                    Antall        Pris           Beløp
Elbillader, montert                 3    9 500,00    28 500,00 kr
Kabel, meter                       80       45,00     3 600,00 kr

Side 1 av 2`,
      `
Fjellheim Elektro AS                 Fakturanummer     88213

                               Sum eks. mva          32 100,00 kr
                               Mva 25 %               8 025,00 kr
                               Å betale              40 125,00 kr

Vennligst betal til konto NO93 8601 1117 947 innen forfall. Takk for oppdraget.
Side 2 av 2`,
    ],
    truth: {
      invoice_number: '88213',
      invoice_date: '2025-08-18',
      due_date: '2025-09-01',
      supplier_name: 'Fjellheim Elektro AS',
      supplier_vat_id: '987654321',
      currency: 'NOK',
      subtotal: 32100,
      vat_amount: 8025,
      total: 40125,
    },
  },
  {
    language: 'Swedish, sums by arithmetic',
    pages: [
      `
Ljungby Bageri AB
Storgatan 31
341 43 Ljungby
Momsreg.nr SE556677889901

Köpare
Kafé Vide
Nygatan 2
342 30 Alvesta

Faktura nr 5512
Fakturadatum 2025-10-01
Förfallodatum 2025-10-31

Beskrivning                      Antal      Pris        Belopp
Surdegsbröd                        200     32,00      6 400,00
Kanelbullar                        300     12,00      3 600,00

Varuvärde                                            10 000,00
Skatt 12 %                                            1 200,00
Slutligt                                          11 200,00 kr

Betala inom 30 dagar till bankgiro 123-4567. Tack för att ni handlar av oss.`,
    ],
    truth: {
      invoice_number: '5512',
      invoice_date: '2025-10-01',
      due_date: '2025-10-31',
      supplier_name: 'Ljungby Bageri AB',
      supplier_vat_id: 'SE556677889901',
      currency: 'SEK',
      subtotal: 10000,
      vat_amount: 1200,
      total: 11200,
    },
  },
];
