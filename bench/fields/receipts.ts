import { z } from 'zod';
import { schemas } from '../../src/domain/schemas/index.ts';
import type { Transcription } from '../../src/domain/transcription.ts';
import { openLocalExtractor } from '../../src/extraction/local.ts';
import { fold } from '../../src/lib/fold.ts';
import { judge } from '../../src/understanding/gate/index.ts';
import { findDates } from '../../src/understanding/values/date.ts';
import { readJsonLines } from '../../test/kit/corpora.ts';

const truths = z.array(
  z.object({
    file: z.string(),
    truth: z.object({
      company: z.string(),
      date: z.string(),
      address: z.string(),
      total: z.string(),
    }),
    words: z.array(z.string()),
  }),
);

type Truth = z.infer<typeof truths>[number];

const fieldNames = {
  total: 'total',
  date: 'invoice_date',
  company: 'supplier_name',
  address: 'supplier_address',
} as const;
type FieldName = keyof typeof fieldNames;

interface ReceiptFigures {
  files: number;
  fields: Record<string, { right: number; share: number }>;
  passed: number;
  right: number;
  /** Correct suppliers among the receipts that passed the gate. */
  suppliers: number;
  misses: string[];
}

/** Compares receipts with their true values, after folding case, punctuation and white space. */
export async function measureReceipts(
  truthFile: string,
  read: ReadonlyMap<string, Transcription>,
): Promise<ReceiptFigures> {
  const all = truths.parse(await readJsonLines(truthFile));
  const rows = await Promise.all(
    all.flatMap((truth) => {
      const pages = read.get(truth.file);
      return pages ? [measure(truth, pages)] : [];
    }),
  );
  const names = Object.keys(fieldNames);
  return {
    files: rows.length,
    fields: Object.fromEntries(
      names.map((name) => [
        name,
        share(
          rows.filter(({ wrong }) => !wrong.has(name)),
          rows,
        ),
      ]),
    ),
    passed: rows.filter(({ passed }) => passed).length,
    right: rows.filter(({ passed, wrong }) => passed && !wrong.has('total') && !wrong.has('date'))
      .length,
    suppliers: rows.filter(({ passed, wrong }) => passed && !wrong.has('company')).length,
    misses: rows.flatMap(({ misses }) => misses),
  };
}

async function measure({ file, truth }: Truth, pages: Transcription) {
  const answer = await openLocalExtractor().extract(
    pages,
    schemas.receipt,
    AbortSignal.timeout(60_000),
  );
  const { valid, reasons } = judge(answer, pages, schemas.receipt);
  const wrong = new Set<string>();
  const misses = [`${file} ${valid ? 'passes' : reasons.join('; ')}`];
  for (const [name, field] of Object.entries(fieldNames)) {
    const value = answer.fields[field];
    if (isRight(name, value, truth)) continue;
    wrong.add(name);
    misses.push(
      `${file} ${name}: ${JSON.stringify(value)} instead of ${JSON.stringify(truth[name as FieldName])}`,
    );
  }
  return { passed: valid, wrong, misses };
}

function isRight(name: string, value: unknown, truth: Truth['truth']): boolean {
  if (name === 'total') return Number(truth.total.replace(/[^\d.]/g, '')) === value;
  if (name === 'date') return findDates(truth.date)[0]?.readings['day-first'] === value;
  return fold(name === 'company' ? truth.company : truth.address) === fold(String(value));
}

function share(right: readonly unknown[], all: readonly unknown[]) {
  return { right: right.length, share: Number((right.length / all.length).toFixed(3)) };
}
