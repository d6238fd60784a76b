import { describe, expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../../test/kit/pages.ts';
import type { Extraction } from '../../domain/extraction.ts';
import { schemas } from '../../domain/schemas/index.ts';
import type { Page } from '../../domain/transcription.ts';
import { judge } from './index.ts';

const now = new Date('2024-06-01');

const printed = `
ACME Tools Ltd
Invoice no: INV-7
Invoice date: 25/05/2024
Due date: 30/05/2024
VAT No: DE136695976
IBAN DE89 3704 0044 0532 0130 00
Description          Qty     Unit price     Amount
Hammer                 2          12.50      25.00
Nails                 10           3.00      30.00
Subtotal                                     55.00
VAT 20%                                      11.00
Total GBP                                    66.00`.slice(1);

const fields: Record<string, unknown> = {
  invoice_number: 'INV-7',
  invoice_date: '2024-05-25',
  due_date: '2024-05-30',
  supplier_name: 'Acme tools LTD.',
  supplier_vat_id: 'DE136695976',
  currency: 'GBP',
  line_items: [
    { description: 'Hammer', quantity: 2, unit_price: 12.5, vat_rate: null, amount: 25 },
    { description: 'Nails', quantity: 10, unit_price: 3, vat_rate: null, amount: 30 },
  ],
  subtotal: 55,
  vat_amount: 11,
  total: 66,
  iban: 'DE89370400440532013000',
};

function answer(changes: Record<string, unknown> = {}, rest: Partial<Extraction> = {}): Extraction {
  return {
    schema: 'invoice',
    fields: { ...fields, ...changes },
    evidence: {},
    confidence: 'high',
    missing_fields: [],
    extraction_successful: true,
    model: 'test/1',
    tokens: { input: 0, output: 0 },
    ...rest,
  };
}

const verdictOn = (extraction: Extraction, page: Page = typeset(printed)) =>
  judge(extraction, transcriptionOf(page), schemas.invoice, now);

describe('what the document bears out passes', () => {
  test.each([
    ['with boxes', typeset(printed)],
    ['as plain text', plain(printed)],
  ])('%s', (_, page) => {
    expect(verdictOn(answer(), page)).toMatchObject({ valid: true, retry: false, reasons: [] });
  });

  test('evidence is found by the gate, not taken from the answer', () => {
    const evidence = { total: { page: 9, text: 'made up' } };
    const { fields: judged } = verdictOn(answer({}, { evidence }));
    expect(judged.total).toMatchObject({
      ok: true,
      evidence: { page: 1, text: '66.00', box: [450, 330, 500, 350] },
    });
    expect(judged.supplier_name?.evidence?.text).toBe('ACME Tools Ltd');
  });

  test('a text over several lines is found piece by piece', () => {
    const page = typeset(
      'ACME Tools Ltd\n5 Mill Lane         Invoice no: INV-7\nLeeds LS1\nDate: 25/05/2024\nTotal 66.00\nTotal 66.00',
    );
    const bare = answer({
      supplier_address: '5 Mill Lane, Leeds LS1',
      line_items: null,
      subtotal: null,
      vat_amount: null,
    });
    expect(
      verdictOn(
        {
          ...bare,
          fields: {
            ...bare.fields,
            due_date: null,
            iban: null,
            supplier_vat_id: null,
            currency: null,
          },
        },
        page,
      ).reasons,
    ).toEqual([]);
  });
});

describe('each reason', () => {
  test.each<[string, Extraction, string, boolean]>([
    ['a critical field is missing', answer({ total: null }), 'total is missing', false],
    [
      'a value is not in the document',
      answer({ supplier_name: 'Evil Ltd' }),
      'supplier_name was not found in the document',
      true,
    ],
    [
      'an amount is not in the document',
      answer({ vat_amount: 11.01 }),
      'vat_amount was not found in the document',
      true,
    ],
    [
      'a row is not in the document',
      answer({ line_items: [{ description: 'Saw', amount: 55 }] }),
      'line_items row 1: description was not found',
      true,
    ],
    [
      'a sum does not add up',
      answer({ subtotal: 25 }),
      'the sum of subtotal + vat_amount is 36, but total is 66',
      true,
    ],
    [
      'rows do not add up',
      answer({ line_items: [{ description: 'Hammer', amount: 25 }] }),
      'the sum of line_items.amount is 25, but subtotal is 55',
      true,
    ],
    [
      'an IBAN has wrong check digits',
      answer({ iban: 'DE88370400440532013000' }),
      'iban is not a valid IBAN (wrong length or check digits)',
      true,
    ],
    [
      'a VAT id is too short',
      answer({ supplier_vat_id: 'DE13669597' }),
      'supplier_vat_id is not a valid VAT ID (wrong format or check digit)',
      true,
    ],
    [
      'a date is none',
      answer({ invoice_date: '2024-02-31' }),
      'invoice_date is not a valid date',
      true,
    ],
    [
      'a date is far ahead',
      answer({ due_date: '2025-06-02' }),
      'due_date is more than a year in the future',
      true,
    ],
    [
      'a date is long ago',
      answer({ invoice_date: '1969-12-31' }),
      'invoice_date is before 1970',
      true,
    ],
    [
      'due before issued',
      answer({ due_date: '2024-05-25', invoice_date: '2024-05-30' }),
      'invoice_date (2024-05-30) is after due_date (2024-05-25)',
      true,
    ],
    [
      'a currency is none',
      answer({ currency: 'XQQ' }),
      'currency is not a known currency code',
      true,
    ],
    ['an amount is a text', answer({ total: '66.00' }), 'total is not a number', true],
    ['rows are no list', answer({ line_items: 'two' }), 'line_items is not a list', true],
    [
      'the extractor is unsure',
      answer({}, { confidence: 'low' }),
      'the extractor reported low confidence',
      true,
    ],
    [
      'the extractor failed',
      answer({}, { extraction_successful: false }),
      'the extractor reported that it did not succeed',
      true,
    ],
    [
      'the due date is no date of issue',
      answer({ invoice_date: '2024-05-30' }),
      'invoice_date does not match any date of issue printed in the document',
      false,
    ],
    [
      'a part is no total',
      answer({ total: 30, subtotal: null }),
      'total does not match any total printed in the document',
      false,
    ],
  ])('%s', (_, extraction, reason, retry) => {
    const verdict = verdictOn(extraction);
    expect(verdict.reasons.join('\n')).toContain(reason);
    expect(verdict).toMatchObject({ valid: false, retry });
  });

  const till = (text: string, page = typeset(text)) =>
    judge(
      {
        ...answer(),
        schema: 'receipt',
        fields: { supplier_name: 'SHOP', invoice_date: '2024-01-05', total: 11.3 },
      },
      transcriptionOf(page),
      schemas.receipt,
      now,
    ).reasons;
  const sure = 'SHOP\nDATE 05/01/2024\nVAT 0.50\nTOTAL 11.30\nCASH 20.00\nCHANGE 8.70';

  test('a till that adds up passes', () => expect(till(sure)).toEqual([]));

  test('words that were hard to read', () => {
    expect(till(sure, typeset(sure, { confidence: 0.3 })).join()).toContain(
      'total is hard to read',
    );
  });

  test('a sign that was hard to read takes nothing from its amount', () => {
    const signed = sure.replaceAll(/(\d)$/gm, '$1 €').replace('2024 €', '2024');
    const page = typeset(signed);
    const words = page.words.map((word) =>
      word.text === '€' ? { ...word, confidence: 0.4 } : word,
    );
    expect(words.filter(({ confidence }) => confidence === 0.4)).toHaveLength(4);
    expect(till(signed, { ...page, words })).toEqual([]);
  });

  test('a name of which a letter may be wrong', () => {
    expect(till(sure, typeset(sure, { confidence: 0.82 }))).toEqual([
      'supplier_name is hard to read',
    ]);
  });

  test('two totals', () => {
    expect(till('SHOP\nDATE 05/01/2024\nVAT 0.50\nTOTAL 11.30\nTOTAL 12.30')).toEqual([
      'total may also be 12.3',
    ]);
  });

  test('a total recognised once that nothing confirms', () => {
    const once = 'SHOP\nDATE 05/01/2024\nVAT 0.50\nTOTAL 11.30';
    expect(till(once)).toEqual(['total is printed only once and no other amounts confirm it']);
    expect(till(once, typeset(once, { native: true }))).toEqual([]);
  });

  test('a subtotal taken for the total', () => {
    expect(till('SHOP\nDATE 05/01/2024\nVAT 0.50\nSUBTOTAL 11.30')).toEqual([
      'total is not labelled as a total',
    ]);
  });

  test('two dates of issue', () => {
    expect(till(sure.replace('VAT', 'DATE 06/01/2024\nVAT'))).toEqual([
      'invoice_date may also be 2024-01-06',
    ]);
  });

  test('a date torn apart', () => {
    expect(till(sure.replace('2024', '20 24'))).toEqual(['invoice_date may be missing digits']);
    expect(till(sure.replace('05/01/2024', '05/01/24 3'))).toEqual([
      'invoice_date may be missing digits',
    ]);
    expect(till(sure.replace('05/01/2024', '05/01/24 13:30'))).toEqual([]);
  });

  test('day and month may be swapped', () => {
    expect(till(sure.replace('VAT', 'TAX'))).toEqual([
      'invoice_date may have day and month swapped',
    ]);
  });
});

describe('whose name it is', () => {
  const rivals = `
Bright Forge
9 Canal Street
York YO1 6HG

Orrin Vale
4 Mill Row
Leeds LS1 4AP

Invoice no: INV-7
Date: 25/05/2024
Total GBP  66.00`;
  const named = (text: string, supplier: string, buyer: string | null = null) =>
    verdictOn(
      answer({
        supplier_name: supplier,
        buyer_name: buyer,
        supplier_vat_id: null,
        due_date: null,
        iban: null,
        line_items: null,
        subtotal: null,
        vat_amount: null,
      }),
      typeset(text.slice(1), { native: true }),
    ).reasons;
  const placed = rivals.replace('York YO1 6HG', 'York YO1 6HG\nTel. 01904 496 0123');

  test('two names that are about equally good are doubted, and the other one is named', () => {
    const beside = `
Bright Forge               Orrin Vale Ltd
9 Canal Street             4 Mill Row
York YO1 6HG               Leeds LS1 4AP

Invoice no: INV-7
Date: 25/05/2024
Total GBP  66.00`;
    expect(named(beside, 'Bright Forge')).toEqual([
      'supplier_name may also be "Orrin Vale Ltd" (page 1, line 1)',
    ]);
    expect(named(beside, 'Orrin Vale Ltd')).toEqual([
      'supplier_name may also be "Bright Forge" (page 1, line 1)',
    ]);
  });

  test('of two below each other the sender comes first', () => {
    expect(named(rivals, 'Bright Forge', 'Orrin Vale')).toEqual([]);
    expect(named(rivals, 'Orrin Vale').join()).toContain('may also be "Bright Forge"');
  });

  test('a name that much more speaks for passes', () => {
    expect(named(placed, 'Bright Forge', 'Orrin Vale')).toEqual([]);
  });

  test('the buyer taken for the seller is doubted where the seller is named outright', () => {
    const labelled = placed.replace('Bright Forge', 'Seller:\nBright Forge');
    expect(named(labelled, 'Orrin Vale')).toEqual([
      'supplier_name may also be "Bright Forge" (page 1, line 2)',
    ]);
  });

  test('so is what is no name of a party at all', () => {
    const labelled = placed.replace('Bright Forge', 'Seller:\nBright Forge');
    expect(named(labelled, 'Canal Street')).toEqual([
      'supplier_name may also be "Bright Forge" (page 1, line 2)',
    ]);
  });

  test('a place at the top alone makes no rival', () => {
    const store = 'Happy Days\nLumora Store\nInvoice no: INV-7\nDate: 25/05/2024\nTotal GBP  66.00';
    expect(named(`\n${store}`, 'Lumora Store')).toEqual([]);
  });

  test('two lines over one address are one party', () => {
    const trade = placed.replace('Bright Forge', 'The Golden Anvil\nBright Forge');
    expect(named(trade, 'The Golden Anvil')).toEqual([]);
    expect(named(trade, 'Bright Forge')).toEqual([]);
  });

  test('two buyers', () => {
    const buyers = `${placed}\n\nNorth Shore\n7 Quay Road\nHull HU3 4BX`;
    expect(named(buyers, 'Bright Forge', 'Orrin Vale')).toEqual([
      'buyer_name may also be "North Shore" (page 1, line 11)',
    ]);
  });
});

describe('what follows from what is printed', () => {
  const printedWith = (changes: readonly [string, string][]) =>
    typeset(
      changes.reduce((text, [from, to]) => text.replace(from, to), printed),
      { native: true },
    );

  test('a due date from days', () => {
    const page = printedWith([['Due date: 30/05/2024', 'Payable within 14 days']]);
    const { fields: judged } = verdictOn(answer({ due_date: '2024-06-08' }), page);
    expect(judged.due_date).toMatchObject({
      ok: true,
      evidence: { text: 'Payable within 14 days' },
    });
    expect(verdictOn(answer({ due_date: '2024-06-09' }), page).reasons).toEqual([
      'due_date was not found in the document',
    ]);
  });

  const charged: [string, string][] = [
    [
      'Subtotal                                     55.00',
      'Freight  9.00\nDiscount  4.00\nSubtotal  60.00',
    ],
    ['11.00', '12.00'],
    ['66.00', '72.00'],
  ];
  const sums = { subtotal: 60, vat_amount: 12, total: 72 };

  test('a net sum from lines, freight and discount', () => {
    expect(verdictOn(answer(sums), printedWith(charged)).reasons).toEqual([]);
  });

  test('but no total: what is charged stands above the net sum', () => {
    const page = printedWith([
      ['Total GBP                                    66.00', 'Freight  5.00\nTotal GBP  71.00'],
    ]);
    expect(verdictOn(answer({ total: 71 }), page).reasons).toEqual([
      'the sum of subtotal + vat_amount is 66, but total is 71',
    ]);
  });

  test('but not one that is printed nowhere, or that no charge leads to', () => {
    const unsaid = printedWith(
      charged.map(([from, to]) => [from, to.replace('Freight', 'Item 7')]),
    );
    expect(verdictOn(answer(sums), unsaid).reasons).toEqual([
      'the sum of line_items.amount is 55, but subtotal is 60',
    ]);
    const nowhere = printedWith(
      charged.map(([from, to]) => [from, to.replace('Subtotal  60.00', '')]),
    );
    expect(verdictOn(answer(sums), nowhere).reasons.join()).toContain(
      'the sum of line_items.amount is 55, but subtotal is 60',
    );
  });
});

test.each([true, false])(
  'a VAT id with a wrong check digit is in doubt, came it with the file or not (%s)',
  (native) => {
    const odd = typeset(printed.replace('DE136695976', 'DE136695977'), { native });
    expect(verdictOn(answer({ supplier_vat_id: 'DE136695977' }), odd)).toMatchObject({
      valid: false,
      reasons: ['supplier_vat_id is not a valid VAT ID (wrong format or check digit)'],
    });
  },
);

describe('data inside the document', () => {
  const xml = `<Invoice><ID>INV-7</ID><Date>20240525</Date><Name>Acme &amp; Co</Name><Total>66.0</Total></Invoice>`;
  const file = { name: 'factur-x.xml', mediaType: 'text/xml', text: xml };
  const stated = answer();
  stated.fields = {
    invoice_number: 'INV-7',
    invoice_date: '2024-05-25',
    supplier_name: 'Acme & Co',
    total: 66,
  };
  const judged = (page?: Page) => judge(stated, transcriptionOf(page, file), schemas.invoice, now);

  test('needs no page', () => {
    expect(judged()).toMatchObject({
      valid: true,
      fields: { total: { evidence: { source: 'factur-x.xml', text: '66.0' } } },
    });
  });

  test('must name the total the page names', () => {
    expect(judged(plain('To pay: 66,00 €')).valid).toBe(true);
    expect(judged(plain('To pay: 99,00 €')).reasons).toEqual([
      'total in the embedded data is not printed on the pages',
    ]);
  });
});

describe('documents of no known kind', () => {
  const judged = (text: string, values: Record<string, unknown>) =>
    judge(
      { ...answer(), schema: 'generic', fields: values },
      transcriptionOf(plain(text, { native: true })),
      schemas.generic,
      now,
    ).reasons;
  const dates = [{ label: null, date: '2024-03-12' }];

  test('pass with a title and something else', () => {
    expect(judged('Notice\nWe meet on 12 March 2024', { title: 'Notice', dates })).toEqual([]);
  });

  test('of which nothing was read are doubted', () => {
    expect(judged('Notice\nWe meet', { title: 'Notice', dates: [], parties: null })).toEqual([
      'none of dates, parties, reference_numbers was found',
    ]);
  });

  test('that name a total are doubted', () => {
    expect(judged('Kiosk\n12 March 2024\nTotal 9.90', { title: 'Kiosk', dates })).toEqual([
      'title is uncertain: the document has a total, so it may be an invoice or a receipt',
    ]);
  });
});
