import { joinText, type Transcription } from '../../src/domain/transcription.ts';
import { compare, type Figure, single } from '../speed/figure.ts';
import { cpuSeconds } from './cpu.ts';
import type { Desk } from './desk.ts';
import type { Receipt } from './receipts.ts';
import { score, total } from './score.ts';
import { hasTesseract, tesseract } from './tesseract.ts';

const against = 'Tesseract psm 6';

/** Accuracy and cost of reading scanned receipts, compared with Tesseract if it is installed. */
export async function measureReading(
  desk: Desk,
  receipts: readonly Receipt[],
): Promise<{ figures: Figure[]; transcriptions: Transcription[] }> {
  const [first] = receipts;
  // Warm up: models are loaded once per process, which must not count as the cost of a page.
  if (first) await desk.inParallel([first, first], readWith(desk));
  const ours = await contest(desk, receipts, readWith(desk), joinText);
  const figures = [
    single('receipts, word recall', '%', ours.recall * 100, { atLeast: 86 }),
    single('receipts, wrong characters', '%', ours.cer * 100, { atMost: 4.5 }),
  ];
  if (!(await hasTesseract())) return { figures, transcriptions: ours.results };
  const theirs = await contest(desk, receipts, ({ path }) => tesseract(path), String);
  figures.push(
    single(
      'receipts, word recall above Tesseract psm 6',
      'points',
      (ours.recall - theirs.recall) * 100,
      {
        atLeast: 8,
      },
    ),
    compare(
      { what: 'receipts, wrong characters', unit: '%', against, target: { atMost: 0.5 } },
      [ours.cer * 100],
      [theirs.cer * 100],
    ),
    compare(
      { what: 'receipts a minute of CPU', unit: 'pages', against, target: { atLeast: 1 } },
      [ours.perMinute],
      [theirs.perMinute],
    ),
  );
  return { figures, transcriptions: ours.results };
}

export function readWith({ read }: Desk) {
  return ({ path }: Receipt): Promise<Transcription> => read({ path, mediaType: 'image/jpeg' });
}

async function contest<T>(
  { inParallel }: Desk,
  receipts: readonly Receipt[],
  work: (receipt: Receipt) => Promise<T>,
  text: (read: T) => string,
) {
  const before = await cpuSeconds();
  const results = await inParallel(receipts, work);
  const seconds = (await cpuSeconds()) - before;
  const scores = results.map((read, i) => score(receipts[i]?.lines ?? [], text(read)));
  return { ...total(scores), results, perMinute: (receipts.length * 60) / seconds };
}
