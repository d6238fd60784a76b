export interface Party {
  name: string;
  address: string[];
  vatId: string;
}

export interface Line {
  text: string;
  quantity: number;
  unit: string;
  unitCents: number;
  vatPercent: number;
}

export interface Invoice {
  number: string;
  issued: string;
  delivered: string;
  due: string;
  currency: 'EUR' | 'GBP' | 'SEK';
  seller: Party & { contact: string; iban: string; bic: string; bank: string };
  buyer: Party;
  lines: Line[];
  note: string;
}

export const lineCents = ({ quantity, unitCents }: Line): number =>
  Math.round(quantity * unitCents);

/** Amounts as printed: VAT is rounded once per rate, and sums are computed from printed figures. */
export function totals({ lines }: Invoice) {
  const rates = [...new Set(lines.map((line) => line.vatPercent))].sort((a, b) => b - a);
  const vat = rates.map((percent) => {
    const baseCents = sum(lines.filter((line) => line.vatPercent === percent).map(lineCents));
    return { percent, baseCents, vatCents: Math.round((baseCents * percent) / 100) };
  });
  const netCents = sum(lines.map(lineCents));
  const vatCents = sum(vat.map((rate) => rate.vatCents));
  return { vat, netCents, vatCents, grossCents: netCents + vatCents };
}

const sum = (cents: number[]): number => cents.reduce((total, each) => total + each, 0);
