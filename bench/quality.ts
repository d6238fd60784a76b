import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Transcription } from '../src/domain/transcription.ts';
import { keys } from '../src/lib/keys.ts';
import { corpora } from '../test/kit/corpora.ts';
import { measureFields } from './fields/figures.ts';
import { degradations } from './ocr/degrade.ts';
import { openDesk } from './ocr/desk.ts';
import { measureReading, readWith } from './ocr/reading.ts';
import { receipts } from './ocr/receipts.ts';
import { measureRepairs } from './ocr/repairs.ts';
import { putIntoDocs } from './put-into-docs.ts';
import { type Figure, missed } from './speed/figure.ts';
import { table } from './speed/table.ts';

/**
 * `npm run bench:quality [-- --check] [--docs] [--limit 40] [--degraded 10] [--fields]
 * [--verbose]`
 */
const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '40' },
    degraded: { type: 'string', default: '10' },
    /** Measure extraction only. Figures for reading and repairing scans keep their last values. */
    fields: { type: 'boolean', default: false },
    /** Exit with an error and list the missed targets. */
    check: { type: 'boolean', default: false },
    /** Write the table to docs/quality.md. */
    docs: { type: 'boolean', default: false },
    /** List every field that was read incorrectly. */
    verbose: { type: 'boolean', default: false },
  },
});
if (!corpora) throw new Error('The corpora were not found. Set MILLRACE_CORPORA to their folder.');

const results = join(import.meta.dirname, 'results');
const file = join(results, 'quality.json');
const desk = await openDesk();
const all = await receipts(Number(values.limit));
try {
  const { figures: reading, transcriptions } = await (values.fields
    ? readAlone()
    : measureReading(desk, all));
  const degraded = all.slice(0, Number(values.degraded));
  const repairs = values.fields
    ? []
    : await measureRepairs(desk, degraded, transcriptions, keys(degradations));
  const read = new Map(
    transcriptions.map((transcription, i) => [all[i]?.file ?? '', transcription]),
  );
  const { figures: fields, misses } = await measureFields(corpora, read);
  const measured = [...reading, ...repairs, ...fields];
  const figures = values.fields ? await withThoseBefore(measured) : measured;
  await mkdir(results, { recursive: true });
  await writeFile(file, `${JSON.stringify({ receipts: all.length, figures }, null, 2)}\n`);
  if (values.docs) await putIntoDocs('quality.md', table(figures));
  if (values.verbose) for (const miss of misses) console.log(miss);
  console.log(table(figures));
  const missing = figures.filter(missed);
  for (const { what } of missing) console.error(`missed: ${what}`);
  if (values.check && missing.length > 0) process.exitCode = 1;
} finally {
  await desk.close();
}

async function readAlone(): Promise<{ figures: Figure[]; transcriptions: Transcription[] }> {
  return { figures: [], transcriptions: await desk.inParallel(all, readWith(desk)) };
}

async function withThoseBefore(measured: readonly Figure[]): Promise<Figure[]> {
  const { figures }: { figures: Figure[] } = JSON.parse(await readFile(file, 'utf8'));
  return [
    ...figures.filter(({ what }) => !measured.some((figure) => figure.what === what)),
    ...measured,
  ];
}
