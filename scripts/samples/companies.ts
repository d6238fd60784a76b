import type { Invoice } from './invoice.ts';

/** All companies are fictitious. Identifiers have valid check digits but belong to nobody. */
export const kettleworth: Invoice = {
  number: 'KJ-2026-0117',
  issued: '2026-03-12',
  delivered: '2026-03-09',
  due: '2026-04-11',
  currency: 'GBP',
  seller: {
    name: 'Kettleworth Joinery Ltd',
    address: ['14 Saltmarket Yard', 'Harrowby HB3 7QT', 'United Kingdom'],
    vatId: 'GB987654353',
    contact: 'accounts@kettleworth.example · +44 1632 960 417',
    iban: 'GB24MLRC40127465830192',
    bic: 'MLRCGB2LXXX',
    bank: 'Millbrook & Corran Bank',
  },
  buyer: {
    name: 'Linden & Fry Architects LLP',
    address: ['2nd Floor, Old Customs House', '8 Quayside, Harrowby HB1 2AE'],
    vatId: 'GB912345645',
  },
  lines: [
    {
      text: 'Oak reception desk, 2.4 m, oiled',
      quantity: 1,
      unit: 'pc',
      unitCents: 184_000,
      vatPercent: 20,
    },
    {
      text: 'Shelving unit, birch ply, made to measure',
      quantity: 6,
      unit: 'pc',
      unitCents: 23_650,
      vatPercent: 20,
    },
    { text: 'Installation on site', quantity: 11.5, unit: 'h', unitCents: 4_800, vatPercent: 20 },
    { text: 'Delivery within Harrowby', quantity: 1, unit: 'pc', unitCents: 6_500, vatPercent: 20 },
  ],
  note: 'Payment within 30 days, quoting the invoice number. Thank you for your custom.',
};

export const sonnenhof: Invoice = {
  number: 'RE-2026-00482',
  issued: '2026-02-20',
  delivered: '2026-02-18',
  due: '2026-03-06',
  currency: 'EUR',
  seller: {
    name: 'Sonnenhof Bürobedarf GmbH',
    address: ['Lindenstraße 27', '79999 Mühlbrück', 'Deutschland'],
    vatId: 'DE987654125',
    contact: 'rechnung@sonnenhof.example · Geschäftsführerin: Jördis Größling',
    iban: 'DE45700999000004512890',
    bic: 'SPMBDE7MXXX',
    bank: 'Sparbank Mühlbrück',
  },
  buyer: {
    name: 'Tischlerei Käßbohrer & Söhne OHG',
    address: ['Am Güterbahnhof 5', '79998 Oberwölfingen'],
    vatId: 'DE912345676',
  },
  lines: [
    {
      text: 'Kopierpapier A4, 80 g, 500 Blatt',
      quantity: 40,
      unit: 'Pkg.',
      unitCents: 489,
      vatPercent: 19,
    },
    {
      text: 'Bürostuhl „Föhr“, höhenverstellbar',
      quantity: 3,
      unit: 'Stk.',
      unitCents: 21_990,
      vatPercent: 19,
    },
    {
      text: 'Fachbuch „Holz und Oberfläche“',
      quantity: 2,
      unit: 'Stk.',
      unitCents: 4_486,
      vatPercent: 7,
    },
    { text: 'Lieferung und Aufbau', quantity: 1, unit: 'psch.', unitCents: 3_900, vatPercent: 19 },
  ],
  note: 'Zahlbar ohne Abzug innerhalb von 14 Tagen. Vielen Dank für Ihren Auftrag.',
};

export const valoreille: Invoice = {
  number: 'F2026-0093',
  issued: '2026-01-27',
  delivered: '2026-01-23',
  due: '2026-02-26',
  currency: 'EUR',
  seller: {
    name: 'Imprimerie Valoreille SARL',
    address: ['3, rue des Tanneurs', '25999 Saint-Évrard', 'France'],
    vatId: 'FR41987123452',
    contact: 'SARL au capital de 8 000 € · SIREN 987 123 452 · contact@valoreille.example',
    iban: 'FR7610999004170008346215004',
    bic: 'CRVEFRP1XXX',
    bank: 'Crédit Vallée de l’Èze',
  },
  buyer: {
    name: 'Théâtre du Vieux Chêne',
    address: ['12 bis, place de l’Hôtel-de-Ville', '25998 Brévannes-sur-Èze'],
    vatId: 'FR65912345675',
  },
  lines: [
    {
      text: 'Affiches 40 × 60 cm, quadrichromie',
      quantity: 250,
      unit: 'ex.',
      unitCents: 185,
      vatPercent: 20,
    },
    {
      text: 'Programmes A5, 16 pages, agrafés',
      quantity: 600,
      unit: 'ex.',
      unitCents: 92,
      vatPercent: 20,
    },
    {
      text: 'Mise en page et épreuves',
      quantity: 4.5,
      unit: 'h',
      unitCents: 5_400,
      vatPercent: 20,
    },
    {
      text: 'Livret d’œuvres, 48 pages',
      quantity: 80,
      unit: 'ex.',
      unitCents: 640,
      vatPercent: 5.5,
    },
  ],
  note: 'Pénalités de retard : trois fois le taux légal. Indemnité forfaitaire : 40 €.',
};

export const naranjo: Invoice = {
  number: 'A-26/0318',
  issued: '2026-04-02',
  delivered: '2026-03-30',
  due: '2026-05-02',
  currency: 'EUR',
  seller: {
    name: 'Talleres Naranjo Ibáñez S.L.',
    address: ['Calle del Molino, 41', '28999 Peñaverde', 'España'],
    vatId: 'B98765415',
    contact: 'administracion@naranjo.example · Tel. 910 000 417',
    iban: 'ES0229990142790600831275',
    bic: 'BPVEESMMXXX',
    bank: 'Banco de Peñaverde',
  },
  buyer: {
    name: 'Transportes Núñez Hermanos',
    address: ['Avenida de la Estación, 7', '28998 Villagrán'],
    vatId: 'B91234567',
  },
  lines: [
    {
      text: 'Revisión de motor y cambio de aceite',
      quantity: 2,
      unit: 'ud.',
      unitCents: 14_850,
      vatPercent: 21,
    },
    {
      text: 'Pastillas de freno, juego',
      quantity: 4,
      unit: 'ud.',
      unitCents: 6_275,
      vatPercent: 21,
    },
    { text: 'Mano de obra', quantity: 7, unit: 'h', unitCents: 4_200, vatPercent: 21 },
  ],
  note: 'Rogamos indiquen el número de factura en la transferencia.',
};

export const bjorklund: Invoice = {
  number: '260451',
  issued: '2026-02-11',
  delivered: '2026-02-09',
  due: '2026-03-13',
  currency: 'SEK',
  seller: {
    name: 'Björklunds Trädgård AB',
    address: ['Ängsvägen 18', '999 41 Östra Hammar', 'Sverige'],
    vatId: 'SE556987412501',
    contact: 'Godkänd för F-skatt · order@bjorklunds.example · 0470-00 417',
    iban: 'SE0690000000051439827106',
    bic: 'HMBASESSXXX',
    bank: 'Hammars Bank',
  },
  buyer: {
    name: 'Bostadsföreningen Sjöutsikten',
    address: ['Kajgatan 3', '999 12 Västra Hammar'],
    vatId: 'SE769123454101',
  },
  lines: [
    {
      text: 'Äppelträd, stam 10–12 cm',
      quantity: 8,
      unit: 'st',
      unitCents: 129_500,
      vatPercent: 25,
    },
    { text: 'Planteringsjord', quantity: 14, unit: 'säck', unitCents: 8_900, vatPercent: 25 },
    { text: 'Plantering och stöd', quantity: 6.5, unit: 'tim', unitCents: 54_000, vatPercent: 25 },
  ],
  note: 'Betalningsvillkor 30 dagar netto. Dröjsmålsränta enligt räntelagen.',
};
