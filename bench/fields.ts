import path from 'node:path';
import { parseArgs } from 'node:util';
import { corpora } from '../test/kit/corpora.ts';
import { measurePages } from './fields/einvoice-pages.ts';
import { measureEInvoices } from './fields/einvoices.ts';
import { measureReceipts } from './fields/receipts.ts';

/** Prints how many fields the local extractor reads right, and how much of what the gate lets through is right. */
const { values } = parseArgs({
  options: { transcriptions: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
if (!corpora) throw new Error('The corpora are not there: set MILLRACE_CORPORA to their folder.');

const receipts = await measureReceipts(path.join(corpora, 'truth/sroie.jsonl'), values.transcriptions);
const einvoices = await measureEInvoices(corpora);
const pages = await measurePages(corpora);

console.log(`Receipts (${receipts.files}, ${values.transcriptions ?? 'printed lines of the truth'})`);
console.table(receipts.fields);
console.log(`Gate: ${receipts.passed} of ${receipts.files} pass, total and date right in ${receipts.right} of them`);
console.log(`E-invoices: ${einvoices.files} readable`);
console.table(einvoices.fields);
console.log(`Pages of e-invoices without their data: ${pages.files}`);
console.table(pages.fields);
console.log(`Gate: ${pages.passed} of ${pages.files} pass, total and date right in ${pages.right} of them`);
if (values.verbose) for (const miss of [...receipts.misses, ...einvoices.misses, ...pages.misses]) console.log(miss);
