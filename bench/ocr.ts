import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { betterOf } from '../src/domain/better-of.ts';
import { pagesToRepair } from '../src/domain/pages-to-repair.ts';
import { qualityOf, type Transcription, textOf } from '../src/domain/transcription.ts';
import { Semaphore } from '../src/lib/semaphore.ts';
import { openLocalReader } from '../src/providers/ocr/local.ts';
import type { SourceFile } from '../src/providers/ocr/port.ts';
import { openSandbox } from '../src/sandbox/sandbox.ts';
import { degradations } from './ocr/degrade.ts';
import { type Receipt, receipts } from './ocr/receipts.ts';
import { areaUnderCurve, score, total } from './ocr/score.ts';
import { hasTesseract, tesseract } from './ocr/tesseract.ts';

const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '40' },
    degraded: { type: 'string', default: '10' },
    language: { type: 'string', multiple: true, default: [] },
    save: { type: 'string' },
  },
});
const processes = availableParallelism();
const options = { maxPages: 2000, maxPixels: 100_000_000, languages: values.language, pageTimeoutMs: 300_000 };
const sandbox = openSandbox({ processes, memoryMb: 2048, recycleAfter: 100 });
const reader = openLocalReader({ sandbox, ...options });
const never = new AbortController().signal;
const all = await receipts(Number(values.limit));
const scratch = await mkdtemp(join(tmpdir(), 'bench-ocr-'));
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

try {
  const local = await timed(
    'local reader',
    all,
    async ({ path }) => await read({ path, mediaType: 'image/jpeg' }),
    textOf,
  );
  if (values.save) await save(values.save, local);
  if (await hasTesseract()) await timed('tesseract psm 6', all, ({ path }) => tesseract(path), String);
  await degraded(all.slice(0, Number(values.degraded)), local);
} finally {
  await sandbox.close();
  await rm(scratch, { recursive: true });
}

function read(file: SourceFile): Promise<Transcription> {
  return reader.read(file, never);
}

async function inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const places = new Semaphore(processes);
  return await Promise.all(
    items.map(async (item) => {
      await places.acquire();
      return await work(item).finally(() => places.release());
    }),
  );
}

async function timed<T>(
  name: string,
  items: readonly Receipt[],
  work: (receipt: Receipt) => Promise<T>,
  text: (read: T) => string,
) {
  const start = performance.now();
  const results = await inParallel(items, work);
  const minutes = (performance.now() - start) / 60_000;
  const { recall, precision, cer } = total(items.map(({ lines }, i) => score(lines, text(results[i] as T))));
  console.log(
    `${name}: word recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}, CER ${percent(cer)}, ` +
      `${(items.length / minutes).toFixed(0)} pages/min on ${processes} processes`,
  );
  return results;
}

async function save(path: string, transcriptions: readonly Transcription[]): Promise<void> {
  const rows = all.map(({ file }, i) => JSON.stringify({ file, transcription: transcriptions[i] }));
  await writeFile(path, `${rows.join('\n')}\n`);
}

/** Quality must tell bad copies from their originals, and a repair must not make a page worse. */
async function degraded(items: readonly Receipt[], clean: readonly Transcription[]): Promise<void> {
  const cleanScores = clean.map(({ pages }) => qualityOf(pages));
  console.log(`clean: quality ${spread(cleanScores)}`);
  for (const [name, degrade] of Object.entries(degradations)) {
    const rows = await inParallel(items, async ({ file, path, lines }) => {
      const copy = { path: join(scratch, `${name}-${file}.png`), mediaType: 'image/png' };
      await (await degrade(path)).png().toFile(copy.path);
      const before = await read(copy);
      const output = `${copy.path}-repaired`;
      const pages = pagesToRepair(before.pages, 0.8);
      const { mediaType } = await sandbox.run(
        'image.repair',
        { ...copy, ...options, pages, output },
        { timeoutMs: 300_000 },
      );
      const again = await read({ path: output, mediaType });
      const after = { pages: betterOf(before.pages, again.pages) };
      return {
        quality: qualityOf(before.pages),
        before: score(lines, textOf(before)),
        repaired: score(lines, textOf(again)),
        after: score(lines, textOf(after)),
      };
    });
    const [before, repaired, after] = (['before', 'repaired', 'after'] as const).map((key) =>
      total(rows.map((row) => row[key])).recall.toFixed(3),
    );
    const qualities = rows.map(({ quality }) => quality);
    console.log(
      `${name}: quality ${spread(qualities)}, AUC ${areaUnderCurve(cleanScores, qualities).toFixed(3)}, ` +
        `recall ${before}, repaired ${repaired}, better of both ${after}`,
    );
  }
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${[0, sorted.length >> 1, sorted.length - 1].map((i) => (sorted[i] ?? 0).toFixed(2)).join(' / ')} (least / median / most)`;
}
