import { join } from 'node:path';
import { pickBetterPages } from '../../src/domain/pick-better-pages.ts';
import {
  averageQuality,
  joinText,
  type Page,
  pagesToRepair,
  type Transcription,
} from '../../src/domain/transcription.ts';
import type { SourceFile } from '../../src/providers/ocr/port.ts';
import { compare, type Figure, single } from '../speed/figure.ts';
import { type Degradation, degradations } from './degrade.ts';
import { type Desk, limits } from './desk.ts';
import type { Receipt } from './receipts.ts';
import { areaUnderCurve, score, total } from './score.ts';

/** The default of the pipeline. */
const THRESHOLD = 0.7;

/**
 * Measures whether the quality score separates degraded copies from originals, and that a repair
 * does not make a page worse.
 */
export async function measureRepairs(
  desk: Desk,
  receipts: readonly Receipt[],
  clean: readonly Transcription[],
  kinds: readonly Degradation[],
): Promise<Figure[]> {
  const cleanScores = clean.map(({ pages }) => averageQuality(pages));
  const figures: Figure[] = [];
  for (const kind of kinds) {
    const rows = await desk.inParallel(receipts, (receipt) => copyAndRepair(desk, kind, receipt));
    const recall = (pass: 'before' | 'after') => total(rows.map((row) => row[pass])).recall * 100;
    const told = areaUnderCurve(
      cleanScores,
      rows.map(({ quality }) => quality),
    );
    figures.push(
      single(`quality tells ${kind} from clean`, 'AUC', told, { atLeast: 0.9 }),
      compare(
        {
          what: `word recall repaired, ${kind}`,
          unit: '%',
          against: 'as it was',
          target: { atLeast: 1 },
        },
        [recall('after')],
        [recall('before')],
      ),
    );
  }
  return figures;
}

async function copyAndRepair(desk: Desk, kind: Degradation, { file, path, lines }: Receipt) {
  const copy = { path: join(desk.scratch, `${kind}-${file}.png`), mediaType: 'image/png' };
  await (await degradations[kind](path)).png().toFile(copy.path);
  const { pages: before } = await desk.read(copy);
  const after = pickBetterPages(before, await readRepaired(desk, copy, before));
  return {
    quality: averageQuality(before),
    before: score(lines, joinText({ pages: before })),
    after: score(lines, joinText({ pages: after })),
  };
}

async function readRepaired(
  { sandbox, read }: Desk,
  copy: SourceFile,
  before: readonly Page[],
): Promise<Page[]> {
  const pages = pagesToRepair(before, THRESHOLD);
  if (pages.length === 0) return [];
  const output = `${copy.path}-repaired`;
  const input = { ...copy, maxPixels: limits.maxPixels, pages, output };
  const { mediaType } = await sandbox.run('recognition.repair', input, {
    timeoutMs: limits.pageTimeoutMs,
  });
  return (await read({ path: output, mediaType })).pages;
}
