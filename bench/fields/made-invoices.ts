import { makeInvoices } from '../../test/kit/made-invoices/index.ts';
import { fieldNames } from './einvoices.ts';
import { scoreInvoice, scoresOf } from './invoice-score.ts';

/** Not one of the seeds used to develop the rules. */
const seed = 42_000_000;

/** Generated invoices in every language and layout of the test kit. */
export async function measureMade() {
  const made = makeInvoices({ seed, turns: 2 });
  return scoresOf(
    await Promise.all(
      made.map(({ name, transcription, truth }) =>
        scoreInvoice(
          name,
          transcription,
          Object.fromEntries(
            Object.entries(fieldNames).map(([label, field]) => [label, truth[field]]),
          ),
        ),
      ),
    ),
  );
}
