import { availableParallelism } from 'node:os';
import { joinText } from '../../src/domain/transcription.ts';
import { Semaphore } from '../../src/lib/semaphore.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { corpora } from '../../test/kit/corpora.ts';
import { type Receipt, receipts } from '../ocr/receipts.ts';
import { score, total } from '../ocr/score.ts';
import { hasTesseract, tesseract } from '../ocr/tesseract.ts';
import { compare } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

/** Scanned receipts on all cores: pages per minute and wrong characters. */
export const ocr: Part = {
  async lacks() {
    if (!corpora) return 'the scanned receipts are not here (MILLRACE_CORPORA)';
    return (await hasTesseract()) ? undefined : 'tesseract is not installed';
  },
  async run(bench) {
    const processes = availableParallelism();
    const pages = await receipts(bench.size(40, 1));
    const sandbox = openSandbox({ processes, memoryMb: 2048, recycleAfter: 1000 });
    const options = {
      maxPages: 2000,
      maxPixels: 100_000_000,
      languages: [],
      pageTimeoutMs: 5 * MINUTE,
    };
    const reader = openLocalReader({ sandbox, ...options });
    const never = new AbortController().signal;
    const read = async ({ path }: Receipt) =>
      joinText(await reader.read({ path, mediaType: 'image/jpeg' }, never));
    const errors = { millrace: [] as number[], tesseract: [] as number[] };
    const contest =
      (name: keyof typeof errors, read: (receipt: Receipt) => Promise<string>) => async () => {
        const { perMinute, cer } = await readAll(pages, processes, read);
        errors[name].push(cer * 100);
        return perMinute;
      };
    try {
      // Warm up: models are loaded once per process, which must not count as the cost of a page.
      const [first] = pages;
      if (first) await readAll(Array(processes).fill(first), processes, read);
      const rates = await interleave(bench, {
        millrace: contest('millrace', read),
        tesseract: contest('tesseract', ({ path }) => tesseract(path)),
      });
      const against = 'Tesseract, one process a core';
      return [
        compare(
          {
            what: 'OCR of receipts, all cores',
            unit: 'pages/min',
            against,
            target: { atLeast: 1 },
          },
          rates.millrace,
          rates.tesseract,
        ),
        compare(
          {
            what: 'OCR of receipts, wrong characters',
            unit: '%',
            against,
            target: { atMost: 0.5 },
          },
          errors.millrace,
          errors.tesseract,
        ),
      ];
    } finally {
      await sandbox.close();
    }
  },
};

async function readAll(
  pages: readonly Receipt[],
  processes: number,
  read: (receipt: Receipt) => Promise<string>,
) {
  const places = new Semaphore(processes);
  const startedAt = performance.now();
  const texts = await Promise.all(
    pages.map(async (page) => {
      await places.acquire();
      return read(page).finally(() => places.release());
    }),
  );
  const perMinute = pages.length / ((performance.now() - startedAt) / MINUTE);
  return { perMinute, cer: total(pages.map(({ lines }, i) => score(lines, texts[i] ?? ''))).cer };
}
