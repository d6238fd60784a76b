import { readdir, readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  bjorklund,
  kettleworth,
  naranjo,
  sonnenhof,
  valoreille,
} from '../scripts/samples/companies.ts';
import { samples } from '../scripts/samples/index.ts';
import { lineCents, totals } from '../scripts/samples/invoice.ts';
import { print } from '../scripts/samples/paper.ts';
import { bill, receiptTotals } from '../scripts/samples/receipt.ts';
import { english, german } from '../scripts/samples/words.ts';

const directory = new URL('../samples/', import.meta.url);
const committed = (name: string) => readFile(new URL(name, directory));
const description = () => readFile(new URL('../docs/samples.md', import.meta.url), 'utf8');

describe('the committed samples are what the script makes', () => {
  it.each(['invoice.pdf', 'einvoice.pdf', 'letter.txt', 'broken.pdf'])(
    '%s, byte for byte',
    async (name) => {
      expect((await committed(name)).equals((await samples[name]?.()) ?? Buffer.alloc(0))).toBe(
        true,
      );
    },
  );

  // Image encoders and resamplers may round differently from one processor to another.
  it.each(['receipt.jpg', 'poor-scan.png', 'pages.tiff'])('%s, to the eye', async (name) => {
    const [there, made] = await Promise.all([committed(name), samples[name]?.()]);
    expect(difference(await pixels(there), await pixels(made ?? there.subarray(1)))).toBeLessThan(
      1.5,
    );
  });

  it('scan.pdf, to the eye', async () => {
    const [there, made] = await Promise.all([committed('scan.pdf'), samples['scan.pdf']?.()]);
    const [[a], [b]] = [await print(there, 100), await print(made ?? new Uint8Array(), 100)];
    expect(difference(a?.data ?? Buffer.alloc(0), b?.data ?? Buffer.alloc(1))).toBeLessThan(1.5);
  });

  it('and there are no others, none is large, and each is described', async () => {
    const names = await readdir(directory);
    expect(names.sort()).toEqual(Object.keys(samples).sort());
    const text = await description();
    for (const name of names) {
      expect((await committed(name)).length).toBeLessThan(150_000);
      expect(text).toContain(`| \`${name}\` |`);
    }
  });
});

describe('the figures of the samples', () => {
  it.each([kettleworth, sonnenhof, valoreille, naranjo, bjorklund])(
    '$number adds up',
    async (invoice) => {
      const { vat, netCents, vatCents, grossCents } = totals(invoice);
      expect(invoice.lines.reduce((sum, line) => sum + lineCents(line), 0)).toBe(netCents);
      expect(vat.reduce((sum, rate) => sum + rate.baseCents, 0)).toBe(netCents);
      expect(netCents + vatCents).toBe(grossCents);
      expect(remainder(invoice.seller.iban)).toBe(1n);
      expect(await description()).toContain(
        `${english.money(grossCents).slice(1)} ${invoice.currency}`,
      );
    },
  );

  it('stand on the page of invoice.pdf', async () => {
    const text = await textOf('invoice.pdf');
    const { netCents, vatCents, grossCents } = totals(kettleworth);
    const printed = [netCents, vatCents, grossCents, ...kettleworth.lines.map(lineCents)].map(
      english.money,
    );
    for (const part of [kettleworth.number, kettleworth.seller.vatId, ...printed])
      expect(text).toContain(part);
  });

  it('are the same on the page and in the XML of einvoice.pdf', async () => {
    const text = await textOf('einvoice.pdf');
    const document = await PDFDocument.load(await committed('einvoice.pdf'), {
      updateMetadata: false,
    });
    const [attached] = document.getAttachments();
    expect(attached).toMatchObject({ name: 'factur-x.xml', afRelationship: 'Alternative' });
    const parser = new XMLParser({
      removeNSPrefix: true,
      ignoreAttributes: true,
      parseTagValue: false,
    });
    const xml = parser.parse(Buffer.from(attached?.data ?? '').toString()).CrossIndustryInvoice;
    const settlement = xml.SupplyChainTradeTransaction.ApplicableHeaderTradeSettlement;
    const sums = settlement.SpecifiedTradeSettlementHeaderMonetarySummation;
    const { netCents, vatCents, grossCents } = totals(sonnenhof);
    expect(xml.ExchangedDocument.ID).toBe(sonnenhof.number);
    expect([sums.TaxBasisTotalAmount, sums.TaxTotalAmount, sums.GrandTotalAmount]).toEqual(
      [netCents, vatCents, grossCents].map((cents) => (cents / 100).toFixed(2)),
    );
    for (const cents of [netCents, grossCents]) expect(text).toContain(german.money(cents));
  });

  it('of the receipt add up', () => {
    const { totalCents, vatCents, changeCents } = receiptTotals();
    expect(totalCents + changeCents).toBe(bill.cashCents);
    expect(Math.round((totalCents - vatCents) * (1 + bill.vatPercent / 100))).toBe(totalCents);
  });

  it('of the letter add up', async () => {
    const text = (await committed('letter.txt')).toString();
    const cents = [...text.matchAll(/([\d ]*\d,\d\d) zł/g)].map(([, amount = '']) =>
      Number(amount.replace(/\D/g, '')),
    );
    const [, first = 0, , second = 0, , third = 0, net = 0, vat = 0, gross = 0] = cents;
    expect(first + second + third).toBe(net);
    expect(Math.round(net * 0.23)).toBe(vat);
    expect(net + vat).toBe(gross);
    expect(remainder(/PL[\d ]+/.exec(text)?.[0] ?? '')).toBe(1n);
  });
});

it('scan.pdf has no text, and broken.pdf cannot be opened', async () => {
  expect((await textOf('scan.pdf')).trim()).toBe('');
  await expect(textOf('broken.pdf')).rejects.toThrow(/corrupted/);
});

async function textOf(name: string): Promise<string> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await committed(name));
    const text = document.getPage(0).getText();
    document.destroy();
    return text;
  } finally {
    library.destroy();
  }
}

function pixels(image: Uint8Array): Promise<Buffer> {
  return sharp(image, { pages: -1 }).raw().toBuffer();
}

/** The mean difference of two pictures, in grey levels; beyond measure if their sizes differ. */
function difference(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

/** One, for an IBAN with the right check digits. */
function remainder(iban: string): bigint {
  const plain = iban.replace(/\s/g, '');
  const digits = (plain.slice(4) + plain.slice(0, 4)).replace(/[A-Z]/g, (c) =>
    String(c.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n;
}
