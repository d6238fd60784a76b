import { randomNumbers } from '../../../scripts/samples/random.ts';
import { isIban } from '../../../src/understanding/values/iban.ts';
import { judgeVatId } from '../../../src/understanding/values/vat-id.ts';
import { type Language, partiesOf, sellers } from './parties.ts';
import { type DateForm, type Wording, wordings } from './wording.ts';

interface Party {
  name: string;
  address: readonly string[];
  vatId: string;
}

/** Everything printed on an invoice, in its language. */
export interface Invoice {
  language: Language;
  wording: Wording;
  say: Record<'title' | 'number' | 'date' | 'due' | 'buyer' | 'seller' | 'net' | 'gross', string>;
  number: string;
  issued: string;
  due: { date?: string; terms?: string };
  seller: Party;
  buyer: Party;
  /** Delivery addresses and contact persons: names that are neither seller nor buyer. */
  delivery: readonly string[];
  attention: readonly string[];
  phone: string;
  iban: string;
  items: readonly { text: string; quantity: number; price: string; amount: string }[];
  net: string;
  vat: { label: string; amount: string };
  gross: string;
}

export interface Truth {
  invoice_number: string;
  invoice_date: string;
  due_date: string | null;
  supplier_name: string;
  buyer_name: string;
  currency: string;
  subtotal: number;
  vat_amount: number;
  total: number;
}

/** One invoice per seed, the same in every run. */
export function inventInvoice(
  language: Language,
  seed: number,
): { invoice: Invoice; truth: Truth } {
  const draw = drawFrom(seed);
  const wording: Wording = wordings[language];
  const [seller, buyer] = twoParties(language, draw);
  const issued = new Date(Date.UTC(2025, draw.below(10), 1 + draw.below(28)));
  const days = draw.one([7, 14, 30, 45, 60]);
  const dueDate = new Date(issued.getTime() + days * 86_400_000);
  const form = draw.one(wording.dateForms);
  const terms = draw.one(wording.terms).replace('{n}', String(days));
  const printed = printedDate(dueDate, form, wording);
  const due = draw.one<Invoice['due']>([
    { date: printed },
    { date: printed },
    { terms },
    { date: printed, terms },
    {},
  ]);
  const items = itemsOf(draw);
  const netCents = items.reduce((sum, { cents }) => sum + cents, 0);
  const vatCents = Math.round((netCents * wording.vatPercent) / 100);
  const number = draw.one([
    `${2025_000 + draw.below(999)}`,
    `${draw.one(['RE', 'F', 'INV', 'A', 'FV'])}-${1000 + draw.below(9000)}`,
    `25/${100 + draw.below(900)}`,
  ]);
  const money = (cents: number) => printedMoney(cents, wording.decimal);
  return {
    invoice: {
      language,
      wording,
      say: {
        title: draw.one(wording.title),
        number: draw.one(wording.number),
        date: draw.one(wording.date),
        due: draw.one(wording.due),
        buyer: draw.one(wording.buyer),
        seller: draw.one(wording.seller),
        net: draw.one(wording.net),
        gross: draw.one(wording.gross),
      },
      number,
      issued: printedDate(issued, form, wording),
      due,
      seller,
      buyer,
      delivery: draw.below(4) === 0 ? elsewhere(language, wording, draw) : [],
      attention: draw.below(4) === 0 ? [wording.attention] : [],
      phone: wording.phone.replace('{n}', String(100 + draw.below(900))),
      iban: validIban(wording.country, draw),
      items: items.map(({ cents, unitCents, ...item }) => ({
        ...item,
        price: money(unitCents),
        amount: money(cents),
      })),
      net: money(netCents),
      vat: {
        label: wording.vat.replace('{r}', String(wording.vatPercent)),
        amount: money(vatCents),
      },
      gross: `${money(netCents + vatCents)} ${wording.currency}`,
    },
    truth: {
      invoice_number: number,
      invoice_date: iso(issued),
      due_date: due.date || due.terms ? iso(dueDate) : null,
      supplier_name: seller.name,
      buyer_name: buyer.name,
      currency: wording.currency,
      subtotal: netCents / 100,
      vat_amount: vatCents / 100,
      total: (netCents + vatCents) / 100,
    },
  };
}

interface Draw {
  below(limit: number): number;
  one<Item>(items: readonly Item[]): Item;
}

function drawFrom(seed: number): Draw {
  const next = randomNumbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    one(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to draw from.');
      return item;
    },
  };
}

function twoParties(language: Language, draw: Draw): [Party, Party] {
  const all = partiesOf(language);
  const seller = draw.one(all.slice(0, sellers));
  const buyer = draw.one(all.filter((party) => party !== seller));
  const { country } = wordings[language];
  const [one, two] = [seller, buyer].map(([name, ...address]) => ({
    name,
    address,
    vatId: validVatId(country, draw),
  }));
  if (!one || !two) throw new Error(`There are no two parties in ${language}.`);
  return [one, two];
}

function elsewhere(language: Language, { delivery }: Wording, draw: Draw): string[] {
  const [name, ...address] = draw.one(partiesOf(language));
  return [delivery, `${name} – 2`, ...address];
}

const goods = ['Talbot', 'Corvina', 'Meridia 40', 'Solano XL', 'Brisa'];

function itemsOf(draw: Draw) {
  return Array.from({ length: 1 + draw.below(4) }, () => {
    const [quantity, unitCents] = [1 + draw.below(9), 500 + draw.below(20_000)];
    return { text: draw.one(goods), quantity, unitCents, cents: quantity * unitCents };
  });
}

function printedDate(date: Date, form: DateForm, { months }: Wording): string {
  const [year = '', month = '', day = ''] = iso(date).split('-');
  const name = months.split(' ')[date.getUTCMonth()] ?? '';
  if (form === 'iso') return iso(date);
  if (form === 'words') return `${Number(day)} ${name} ${year}`;
  if (form === 'month first') return `${name} ${Number(day)}, ${year}`;
  return [day, month, year].join(form);
}

function printedMoney(cents: number, decimal: ',' | '.'): string {
  const [whole = '', fraction = ''] = (cents / 100).toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, decimal === ',' ? '.' : ',')}${decimal}${fraction}`;
}

const shapes: Readonly<Record<string, string>> = {
  GB: '#########',
  DE: '#########',
  FR: '###########',
  ES: 'B########',
  IT: '###########',
  NL: '#########B01',
  PT: '#########',
  PL: '##########',
  SE: '##########01',
};

function validVatId(country: string, draw: Draw): string {
  for (;;) {
    const id = country + (shapes[country] ?? '').replace(/#/g, () => String(1 + draw.below(9)));
    if (judgeVatId(id) === 'valid') return id;
  }
}

const accounts: Readonly<Record<string, number>> = {
  DE: 18,
  FR: 23,
  ES: 20,
  PT: 21,
  PL: 24,
  SE: 20,
};

/** A valid IBAN of the country if its account numbers are numeric, otherwise a German one. */
function validIban(country: string, draw: Draw): string {
  const [place, length] = country in accounts ? [country, accounts[country] ?? 18] : ['DE', 18];
  const account = Array.from({ length }, () => draw.below(10)).join('');
  const all = Array.from(
    { length: 97 },
    (_, i) => `${place}${String(i + 2).padStart(2, '0')}${account}`,
  );
  return all.find(isIban) ?? '';
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}
